/**
 * The composition root: configuration in, a server's parts out, everything connected once.
 *
 * @module
 */
import { createCatalog } from "./api/catalog.ts";
import { endpoints } from "./api/endpoints.ts";
import type { PublishedDocument, Services } from "./api/services.ts";
import type { Config } from "./config.ts";
import type { Authenticator } from "./auth/authenticator.ts";
import { ANONYMOUS, type Principal } from "./auth/principal.ts";
import { createRenderedPages } from "./api/rendered.ts";
import { createTurns } from "./api/turns.ts";
import { type Authentication, openAuthentication } from "./authentication.ts";
import { createCors } from "./http/cors.ts";
import { createCursors } from "./http/cursor.ts";
import { createDeadlines } from "./http/deadline.ts";
import { LIMITS } from "./http/limits.ts";
import { createHandler, type Handler } from "./http/pipeline.ts";
import type { Gate } from "./http/route.ts";
import { createRateLimiter } from "./http/rate_limit.ts";
import { createRouter } from "./http/router.ts";
import { type OpenedFiles, openFiles } from "./filing.ts";
import type { DecisionLog } from "./live/decision_log.ts";
import { metricsText } from "./live/metrics.ts";
import { createPolicies, type Policies, type Ruling } from "./live/policies.ts";
import { createRoutes } from "./live/routes.ts";
import { describePolicy } from "./live/status.ts";
import type { Log } from "./observe.ts";
import { uuidv7 } from "./std.ts";
import type { Store } from "./store/port.ts";
import { createMarkdownReader, type MarkdownReader } from "./threads/markdown_reader.ts";
import { BUNDLE, createDocsPage } from "./web/docs_page.ts";

/** The policy and the document at the start are those of the options. */
export interface AppOptions extends Ruling<PublishedDocument> {
  readonly config: Config;
  readonly publicUrl: string;
  readonly store: Store;
  readonly log: Log;
  /** Milliseconds since the epoch; default the system's clock. */
  readonly now?: () => number;
  /** Default: {@linkcode LIMITS}. */
  readonly limits?: Partial<Record<"bodyBytes" | "bodyTime" | "requestTime", number>>;
  /** What Deno puts into the URL of a request without a `Host`. */
  readonly fallbackAuthority?: string;
  readonly decisionLog?: DecisionLog;
}

export interface App {
  readonly handler: Handler;
  readonly policies: Policies<PublishedDocument>;
  /** Answers `Connection: close` from now on, and settles when nothing is in flight. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Connects everything; rejects where a part cannot start. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, store, log, publicUrl, decisionLog } = options;
  const now = options.now ?? Date.now;
  const limits = { ...LIMITS, ...options.limits };
  const authentication = await openAuthentication({ ...config, publicUrl });
  const deadlines = createDeadlines(limits.requestTime);
  const markdownReader = createMarkdownReader();
  const files = await openFiles({ config, publicUrl, store, log, now });
  let draining = false;
  const isDraining = () => draining;
  const services = await openServices(options, {
    authentication,
    markdownReader,
    files: files.files,
    now,
    isDraining,
  });
  const pipeline = {
    gate: toGate(authentication.authenticator, store),
    rateLimiter: createRateLimiter(config.rate),
    cors: createCors(config.corsOrigins),
    log,
    deadlines,
    limits,
    now,
    isDraining,
    fallbackAuthority: options.fallbackAuthority,
  };
  // INVARIANT: a request reads this once. All that follows from a policy hangs on it, so each request
  // is judged and answered by one policy and one document.
  let current: Handler;
  const policies = createPolicies({
    ruling: { policy: options.policy, published: options.published },
    install: ({ policy, published }, witnesses) => {
      const router = createRouter(createRoutes({ endpoints, policy, witnesses }));
      const own: PolicyServices = {
        published,
        scopes: [...policy.scopes.keys()],
        policy: () => describePolicy(policies.status),
        metrics: () => metricsText(policies.status, decisionLog?.counts),
      };
      current = createHandler({ ...pipeline, router, services: { ...services, ...own } });
    },
    decisionLog,
    log,
  });
  return {
    handler: (request) => current(request),
    policies,
    drain: () => {
      draining = true;
      return deadlines.idle();
    },
    close: async () => {
      deadlines.close();
      policies.close();
      await files.close();
      await decisionLog?.flush();
      markdownReader.close();
      log.flush();
      await store.close();
    },
  };
}

/** What handlers work with that follows from the policy. */
type PolicyServices = Pick<Services, "published" | "scopes" | "policy" | "metrics">;

interface ServiceParts {
  readonly authentication: Authentication;
  readonly markdownReader: MarkdownReader;
  readonly files: OpenedFiles["files"];
  readonly now: () => number;
  readonly isDraining: () => boolean;
}

async function openServices(
  { store, publicUrl }: AppOptions,
  { authentication, markdownReader, files, now, isDraining }: ServiceParts,
): Promise<Omit<Services, keyof PolicyServices>> {
  return {
    store,
    files,
    cursors: createCursors(await store.secret("cursors")),
    docs: createDocsPage(() => Deno.readFile(BUNDLE.file)),
    publicUrl,
    newId: uuidv7,
    newPropertyId,
    catalog: createCatalog(store),
    renderedPages: createRenderedPages(),
    readMarkdown: markdownReader.read,
    turns: createTurns(),
    authorizationServers: authentication.issuers,
    readiness: async () => [
      ...(isDraining() ? ["the server is stopping"] : []),
      ...await faultOf("database", () => store.ping()),
      ...await faultOf("keys", () => authentication.ping(now())),
    ],
  };
}

const PROPERTY_ID_BYTES = 6;

/** A new id of a property: 8 characters of `[A-Za-z0-9_]`. */
function newPropertyId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(PROPERTY_ID_BYTES));
  return bytes.toBase64({ alphabet: "base64url" }).replaceAll("-", "_");
}

async function faultOf(name: string, check: () => Promise<void>): Promise<string[]> {
  try {
    await check();
    return [];
  } catch {
    return [`${name} out of reach`];
  }
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
