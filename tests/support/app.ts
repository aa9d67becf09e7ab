/**
 * The real handler on a real SQLite file, with real tokens: what tests of the API drive.
 *
 * @module
 */
import { publish } from "../../src/api/openapi.ts";
import { type App, type AppOptions, createApp } from "../../src/app.ts";
import { type LocalIssuer, type MintOptions, openLocalIssuer } from "../../src/auth/dev_issuer.ts";
import { readConfig } from "../../src/config.ts";
import { createLog, type Log } from "../../src/observe.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import type { Store } from "../../src/store/port.ts";

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

/** Any JSON that an answer holds. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, parsed; throws where it is no JSON. */
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
  /** Lines that the log wrote, parsed. */
  readonly lines: Record<string, unknown>[];
  readonly folder: string;
  mint(options?: Partial<MintOptions>): Promise<string>;
  /** Calls `METHOD /path`; by default with a token of all scopes. */
  call(route: string, options?: CallOptions): Promise<Answer>;
}

export interface TestAppOptions extends Partial<AppOptions> {
  readonly environment?: Readonly<Record<string, string>>;
}

const published = {
  ...publish({
    document: '{"openapi":"3.1.1"}',
    etag: "d".repeat(64),
    meta: '{"etag":"d"}',
    metaEtag: "e".repeat(64),
  }),
  policyPage: () => Promise.resolve({ body: "" }),
};

/** Runs a test on an app of its own, and puts everything away. */
export async function withApp(
  test: (app: TestApp) => Promise<void>,
  options: TestAppOptions = {},
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const lines: Record<string, unknown>[] = [];
  const environment = { DATA_DIR: folder, RATE_LIMIT: "off", ...options.environment };
  const config = readConfig((name) => Reflect.get(environment, name));
  const log = options.log ?? createLog({
    level: config.logLevel,
    write: (text) => lines.push(...text.trimEnd().split("\n").map((line) => JSON.parse(line))),
    now: Date.now,
  });
  const store = options.store ?? openSqliteStore(config.database.path);
  const policy = parsePolicy(await Deno.readTextFile("policy/scopes.json"));
  const app = await createApp({
    config,
    publicUrl: ORIGIN,
    policy,
    published,
    store,
    log,
    ...options,
  });
  const issuer = await openLocalIssuer({ folder });
  try {
    await test(toTestApp({ app, store, issuer, log, lines, folder }, options.now));
  } finally {
    await app.close();
    await Deno.remove(folder, { recursive: true });
  }
}

function toTestApp(parts: Omit<TestApp, "mint" | "call">, now = Date.now): TestApp {
  const mint = (options: Partial<MintOptions> = {}) =>
    parts.issuer.mint({ scope: ALL_SCOPES, ttlSeconds: 600, now: now(), ...options });
  let usual: string | undefined;
  return {
    ...parts,
    mint,
    call: async (route, options = {}) => {
      const token = options.token === undefined ? usual ??= await mint() : options.token;
      const response = await parts.app.handler(toRequest(route, { ...options, token }));
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
