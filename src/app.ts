/**
 * The composition root: configuration in, a server's parts out, everything connected once.
 *
 * @module
 */
import { endpoints } from "./api/endpoints.ts";
import type { PublishedDocument, Services } from "./api/services.ts";
import type { Config } from "./config.ts";
import type { Authenticator } from "./auth/authenticator.ts";
import { ANONYMOUS, type Principal } from "./auth/principal.ts";
import { createRenderedPages } from "./api/rendered.ts";
import { createTurns } from "./api/turns.ts";
import { openAuthentication } from "./authentication.ts";
import { createCors } from "./http/cors.ts";
import { createCursors } from "./http/cursor.ts";
import { createDeadlines } from "./http/deadline.ts";
import { type Endpoint, routeName } from "./http/endpoint.ts";
import { LIMITS } from "./http/limits.ts";
import { createHandler, type Handler } from "./http/pipeline.ts";
import type { Access, Gate, Route } from "./http/route.ts";
import { createRateLimiter } from "./http/rate_limit.ts";
import { type FieldPath, mayHold, parseFieldPath } from "./http/redact.ts";
import { createRouter } from "./http/router.ts";
import type { Log } from "./observe.ts";
import { createEngine, type Engine, type Grant } from "./policy/engine.ts";
import type { Policy } from "./policy/schema.ts";
import { uuidv7 } from "./std.ts";
import type { Store } from "./store/port.ts";
import { createMarkdownReader } from "./threads/markdown_reader.ts";

export interface AppOptions {
  readonly config: Config;
  readonly publicUrl: string;
  readonly policy: Policy;
  readonly published: PublishedDocument;
  readonly store: Store;
  readonly log: Log;
  /** Milliseconds since the epoch; default the system's clock. */
  readonly now?: () => number;
  /** Default: {@linkcode LIMITS}. */
  readonly limits?: Partial<Record<"bodyBytes" | "bodyTime" | "requestTime", number>>;
  /** What Deno puts into the URL of a request without a `Host`. */
  readonly fallbackAuthority?: string;
}

export interface App {
  readonly handler: Handler;
  /** Answers `Connection: close` from now on, and settles when nothing is in flight. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Connects everything; rejects where a part cannot start. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, store, log, publicUrl, policy } = options;
  const now = options.now ?? Date.now;
  const limits = { ...LIMITS, ...options.limits };
  const guard = createGuard(policy);
  const authentication = await openAuthentication({ ...config, publicUrl });
  const deadlines = createDeadlines(limits.requestTime);
  const markdownReader = createMarkdownReader();
  let draining = false;
  const services: Services = {
    store,
    cursors: createCursors(await store.secret("cursors")),
    published: options.published,
    publicUrl,
    newId: uuidv7,
    renderedPages: createRenderedPages(),
    readMarkdown: markdownReader.read,
    turns: createTurns(),
    authorizationServers: authentication.issuers,
    scopes: [...policy.scopes.keys()],
    readiness: async () => [
      ...(draining ? ["the server is stopping"] : []),
      ...await faultOf("database", () => store.ping()),
      ...await faultOf("keys", () => authentication.ping(now())),
    ],
  };
  const handler = createHandler({
    router: createRouter(endpoints.map((endpoint) => toRoute(endpoint, guard))),
    services,
    gate: toGate(authentication.authenticator, store),
    rateLimiter: createRateLimiter(config.rate),
    cors: createCors(config.corsOrigins),
    log,
    deadlines,
    limits,
    now,
    isDraining: () => draining,
    fallbackAuthority: options.fallbackAuthority,
  });
  return {
    handler,
    drain: () => {
      draining = true;
      return deadlines.idle();
    },
    close: async () => {
      deadlines.close();
      markdownReader.close();
      log.flush();
      await store.close();
    },
  };
}

async function faultOf(name: string, check: () => Promise<void>): Promise<string[]> {
  try {
    await check();
    return [];
  } catch {
    return [`${name} out of reach`];
  }
}

/** The policy as routes ask it. */
interface Guard {
  readonly engine: Engine;
  /** Every field that a rule guards. */
  readonly fields: readonly FieldPath[];
  hold(caller: Principal): Held;
}

/** A caller's scopes, turned into bits once for each token and not once for each request. */
interface Held {
  readonly grant: Grant;
  readonly hidden: readonly FieldPath[];
}

function createGuard(policy: Policy): Guard {
  const engine = createEngine(policy);
  const known = new WeakMap<Principal, Held>();
  return {
    engine,
    fields: [...policy.fields.keys()].map(parseFieldPath),
    hold(caller) {
      const held = known.get(caller) ?? holdOf(engine, caller);
      known.set(caller, held);
      return held;
    },
  };
}

function holdOf(engine: Engine, { scopes }: Principal): Held {
  const grant = engine.grant(scopes);
  return { grant, hidden: grant.hiddenFields.map(parseFieldPath) };
}

const OPERATIONAL: Access = {
  decision: { effect: "allow", route: "", public: true, required: [], missing: [] },
  hidden: [],
};

/** Connects an endpoint with its rule; one without needs none because it stands outside `/v2`. */
function toRoute(endpoint: Endpoint<Services>, guard: Guard): Route<Services> {
  const { method, path, operational = false } = endpoint;
  const rule = guard.engine.rule(routeName(endpoint));
  if (operational === path.startsWith("/v2/") || operational === (rule !== undefined)) {
    throw new Error(`Endpoint and policy disagree: ${routeName(endpoint)}`);
  }
  return {
    method,
    path,
    endpoint,
    isPublic: rule === undefined || rule.public,
    holdsGuarded: mayHold(endpoint.response, guard.fields),
    access: (caller) => {
      if (rule === undefined) return OPERATIONAL;
      const { grant, hidden } = guard.hold(caller);
      return { decision: rule.decide(grant), hidden };
    },
  };
}

function toGate(authenticator: Authenticator, store: Store): Gate {
  const enrolled = new WeakSet<Principal>();
  return {
    ...authenticator,
    anonymous: ANONYMOUS,
    enrol: (caller) => {
      if (enrolled.has(caller)) return undefined;
      const { userId: id, type, name, email, avatarUrl } = caller;
      return store.saveUser(caller.workspace, { id, type, name, email, avatarUrl })
        .then(() => void enrolled.add(caller));
    },
  };
}
