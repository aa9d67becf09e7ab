/**
 * The real handler on a real database with real tokens, for tests of the API.
 *
 * @module
 */
import { publish } from "../../src/api/meta/openapi.ts";
import { type App, type AppOptions, createApp } from "../../src/app/app.ts";
import {
  type LocalIssuer,
  type MintOptions,
  openLocalIssuer,
} from "../../src/auth/local_issuer.ts";
import { readConfig } from "../../src/config/config.ts";
import type { Handler } from "../../src/http/pipeline.ts";
import { createLog, type Log } from "../../src/shared/log.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import type { Store } from "../../src/store/port.ts";
import { assert, assertEquals } from "../assert.ts";
import { SETTING } from "../auth/setting.ts";
import { createContract } from "./contract.ts";
import { openRecorder } from "./exchanges.ts";
import { openStore } from "./stores.ts";

export const ORIGIN = "http://recto.test";
export const ALL_SCOPES = [
  "pages.read",
  "pages.write",
  "blocks.read",
  "blocks.write",
  "databases.read",
  "databases.write",
  "users.read",
  "users.email.read",
  "search.read",
].join(" ");

/** The JSON of a response. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parses the body; throws if it is not JSON. */
  // deno-lint-ignore no-explicit-any -- a test reads into answers freely, and asserts what it finds
  readonly json: any;
}

export interface CallOptions {
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestApp {
  readonly app: App;
  readonly store: Store;
  readonly issuer: LocalIssuer;
  readonly log: Log;
  /** Log lines so far, parsed. */
  readonly lines: Record<string, unknown>[];
  readonly folder: string;
  mint(options?: Partial<MintOptions>): Promise<string>;
  /** Handles a request. */
  readonly send: Handler;
  /** Calls `METHOD /path`; by default with a token of all scopes. */
  call(route: string, options?: CallOptions): Promise<Answer>;
}

export interface TestAppOptions extends Partial<AppOptions> {
  readonly environment?: Readonly<Record<string, string>>;
  /** True if every response is validated by the document; off in benchmarks. */
  readonly judged?: boolean;
}

const published = {
  ...publish({
    document: '{"openapi":"3.1.1","info":{"title":"Recto","version":"2.0.0"},"paths":{}}',
    etag: "d".repeat(64),
    meta: JSON.stringify({
      etag: "d".repeat(64),
      generatedAt: "2026-01-01T00:00:00.000Z",
      pathCount: 0,
      schemaCount: 0,
    }),
    metaEtag: "e".repeat(64),
  }),
  policyPage: () => Promise.resolve({ body: "" }),
};

/** Validates every response of every test by the committed document. */
const contract = createContract(await Deno.readTextFile("spec/openapi.json"));
const record = openRecorder(contract.operations);

/** Runs a test on a new app and disposes of it. */
export async function withApp(
  test: (app: TestApp) => Promise<void>,
  options: TestAppOptions = {},
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const lines: Record<string, unknown>[] = [];
  const limits = { RECTO_RATE_LIMIT: "off", RECTO_RATE_LIMIT_ADDRESS: "off" };
  const environment = {
    RECTO_DATA_DIR: folder,
    ...limits,
    ...SETTING.environment,
    ...options.environment,
  };
  const config = readConfig((name) => Reflect.get(environment, name));
  const log = options.log ?? createLog({
    level: config.logLevel,
    write: (text) => lines.push(...text.trimEnd().split("\n").map((line) => JSON.parse(line))),
    now: Date.now,
  });
  const lasting = options.environment?.DATABASE_URL !== undefined;
  assert(config.database.kind === "sqlite", "Tests name a database by its path on either store");
  const store = options.store ?? await openStore(config.database.path, { lasting });
  const policy = parsePolicy(await Deno.readTextFile("policy/scopes.json"));
  const created = await createApp({
    config,
    publicUrl: ORIGIN,
    policy,
    published,
    store,
    log,
    ...options,
  });
  const issuer = await openLocalIssuer({ folder });
  const { handler, breaches } = options.judged === false
    ? { handler: created.handler, breaches: () => Promise.resolve([]) }
    : watch(created.handler);
  const app = { ...created, handler };
  // Another policy gives responses that the committed document does not describe.
  const isCommitted = options.policy === undefined;
  const recorded = isCommitted ? record : undefined;
  const send = (request: Request) => recorded?.(request, app.handler) ?? app.handler(request);
  try {
    await test(toTestApp({ app, store, issuer, log, lines, folder, send }, options.now));
    if (isCommitted) assertEquals(await breaches(), []);
  } finally {
    await app.close();
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * A handler whose answers are judged beside the tests; `breaches` tells what the document forbids.
 */
function watch(
  handler: Handler,
): { readonly handler: Handler; readonly breaches: () => Promise<string[]> } {
  const verdicts: Promise<string | undefined>[] = [];
  const judged = (request: Request, response: Response): Response => {
    // The document does not describe these, and an unread copy would keep the body in memory.
    if (/^https?:\/\/[^/]*\/(?:files|docs)\//.test(request.url)) return response;
    verdicts.push(contract.judge(request, response.clone()));
    return response;
  };
  return {
    handler: async (request, connection) => judged(request, await handler(request, connection)),
    breaches: async () => (await Promise.all(verdicts)).filter((verdict) => verdict !== undefined),
  };
}

function toTestApp(
  parts: Omit<TestApp, "mint" | "call">,
  now = Date.now,
): TestApp {
  const mint = (options: Partial<MintOptions> = {}) =>
    parts.issuer.mint({ scope: ALL_SCOPES, ttlSeconds: 600, now: now(), ...options });
  let usual: string | undefined;
  return {
    ...parts,
    mint,
    call: async (route, options = {}) => {
      const token = options.token === undefined ? usual ??= await mint() : options.token;
      const response = await parts.send(toRequest(route, { ...options, token }));
      parts.log.flush();
      // A test that fails on a 500 should say why.
      // deno-lint-ignore no-console -- it is for who reads the failure
      if (response.status === 500) console.error(parts.lines.at(-1)?.error);
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        get json() {
          return JSON.parse(text);
        },
      };
    },
  };
}

function toRequest(route: string, { token, body, headers = {} }: CallOptions): Request {
  const [method = "", path = ""] = route.split(" ");
  const isText = typeof body === "string" || body instanceof Uint8Array ||
    body instanceof ReadableStream;
  return new Request(`${ORIGIN}${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: isText ? body as BodyInit : JSON.stringify(body) }),
  });
}
