/**
 * The composition root: configuration in, a server's parts out, everything connected once.
 *
 * @module
 */
import { createCatalog } from "./api/catalog.ts";
import { endpoints } from "./api/endpoints.ts";
import type { PublishedDocument, Services, Unready } from "./api/services.ts";
import type { Config } from "./config.ts";
import type { Authenticator } from "./auth/authenticator.ts";
import { ANONYMOUS, type Principal } from "./auth/principal.ts";
import { createRenderedPages } from "./api/rendered.ts";
import { createLongReads } from "./api/long_reads.ts";
import { createTurns } from "./api/turns.ts";
import { type Authentication, openAuthentication } from "./authentication.ts";
import { createCors } from "./http/cors.ts";
import { createCursors } from "./http/cursor.ts";
import { createDeadlines } from "./http/deadline.ts";
import { createAdmit, LIMITS } from "./http/limits.ts";
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
import { type Background, createBackground } from "./indexing/background.ts";
import { createEmbedders } from "./indexing/embedders.ts";
import { createIndexer, type Indexer } from "./indexing/indexer.ts";
import { createSpaces, type Spaces } from "./indexing/spaces.ts";
import type { Log } from "./observe.ts";
import type { Embedder } from "./search/embedder.ts";
import { createOpenAiEmbedder } from "./search/embedders/openai.ts";
import { uuidv7 } from "./std.ts";
import type { Store } from "./store/port.ts";
import { learnInThread } from "./threads/lsa_learner.ts";
import { createMarkdownPrinter, type MarkdownPrinter } from "./threads/markdown_printer.ts";
import { createMarkdownReader, type MarkdownReader } from "./threads/markdown_reader.ts";
import { createDocs } from "./web/docs.ts";

/** As `deno task assets` writes it. */
const API_REFERENCE = "assets/api-reference.js.gz";

/** The policy and the document at the start are those of the options. */
export interface AppOptions extends Ruling<PublishedDocument> {
  readonly config: Config;
  readonly publicUrl: string;
  readonly store: Store;
  readonly log: Log;
  /** Milliseconds since the epoch; default the system's clock. */
  readonly now?: () => number;
  /** Default: {@linkcode LIMITS}. */
  readonly limits?: Partial<
    Record<"bodyBytes" | "bodyTime" | "uploadPaceTime" | "requestTime", number>
  >;
  /** What Deno puts into the URL of a request without a `Host`. */
  readonly fallbackAuthority?: string;
  readonly decisionLog?: DecisionLog;
}

export interface App {
  readonly handler: Handler;
  readonly policies: Policies<PublishedDocument>;
  /** Makes the vectors of what changes, once it is started. */
  readonly indexing: Pick<Background, "start"> & Indexer;
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
  const markdownPrinter = createMarkdownPrinter();
  const { spaces, indexer, background } = openIndexing(options, now);
  const files = await openFiles({ config, publicUrl, store, log, now });
  let draining = false;
  const isDraining = () => draining;
  const services = await openServices(options, {
    authentication,
    markdownReader,
    markdownPrinter,
    spaces,
    files: files.files,
    now,
    isDraining,
  });
  const pipeline = {
    admit: createAdmit(options.fallbackAuthority),
    gate: toGate(authentication.authenticator, store),
    rateLimiter: createRateLimiter(config.rate),
    cors: createCors(config.corsOrigins),
    log,
    deadlines,
    limits,
    now,
    isDraining,
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
    indexing: { start: background.start, step: indexer.step },
    drain: () => {
      draining = true;
      return deadlines.idle();
    },
    close: async () => {
      deadlines.close();
      policies.close();
      await background.stop();
      await files.close();
      await decisionLog?.flush();
      markdownReader.close();
      markdownPrinter.close();
      log.flush();
      await store.close();
    },
  };
}

interface Indexing {
  readonly spaces: Spaces;
  readonly indexer: Indexer;
  readonly background: Background;
}

function openIndexing({ config, store, log }: AppOptions, now: () => number): Indexing {
  const embedders = createEmbedders(store, serviceOf(config.embeddings));
  const indexer = createIndexer({
    ...{ store, embedders, now, learn: learnInThread },
    onRefused: (page, { message }) =>
      log.event("warn", `A page cannot be found by its meaning: ${message}`, { page }),
  });
  const spaces = createSpaces(store, embedders);
  const making = createBackground({
    step: indexer.step,
    onFailure: (error) => log.event("warn", `Vectors cannot be made now: ${error}`),
  });
  const arranging = createBackground({
    step: spaces.arrange,
    onFailure: (error) => log.event("warn", `Vectors cannot be arranged now: ${error}`),
  });
  const works = [making, arranging];
  return {
    spaces,
    indexer,
    background: {
      start: () => works.forEach(({ start }) => start()),
      stop: async () => void await Promise.all(works.map(({ stop }) => stop())),
    },
  };
}

/** What handlers work with that follows from the policy. */
type PolicyServices = Pick<Services, "published" | "scopes" | "policy" | "metrics">;

interface ServiceParts {
  readonly authentication: Authentication;
  readonly markdownReader: MarkdownReader;
  readonly markdownPrinter: MarkdownPrinter;
  readonly spaces: Spaces;
  readonly files: OpenedFiles["files"];
  readonly now: () => number;
  readonly isDraining: () => boolean;
}

async function openServices(
  { store, publicUrl }: AppOptions,
  { markdownReader, markdownPrinter, spaces, files, ...parts }: ServiceParts,
): Promise<Omit<Services, keyof PolicyServices>> {
  const { authentication, now, isDraining } = parts;
  return {
    store,
    files,
    cursors: createCursors(await store.secret("cursors")),
    publicUrl,
    docs: createDocs(API_REFERENCE),
    newId: uuidv7,
    newPropertyId,
    catalog: createCatalog(store),
    renderedPages: createRenderedPages(),
    readMarkdown: markdownReader.read,
    printPortion: markdownPrinter.print,
    spaces,
    turns: createTurns(),
    longReads: createLongReads(),
    authorizationServers: authentication.issuers,
    readiness: async () => [
      ...(isDraining() ? [{ fault: "the server is stopping" }] : []),
      ...await faultOf("database", () => store.ping()),
      ...await faultOf("keys", () => authentication.ping(now())),
    ],
  };
}

/** The service that embeds texts; undefined where they are embedded by what is learnt from them. */
function serviceOf(embeddings: Config["embeddings"]): Embedder | undefined {
  if (embeddings === undefined) return undefined;
  const { url, model, key, dimensions } = embeddings;
  return createOpenAiEmbedder({
    ...{ url, model },
    ...(key !== undefined && { key }),
    ...(dimensions !== undefined && { dimensions }),
  });
}

const PROPERTY_ID_BYTES = 6;

/** A new id of a property: 8 characters of `[A-Za-z0-9_]`. */
function newPropertyId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(PROPERTY_ID_BYTES));
  return bytes.toBase64({ alphabet: "base64url" }).replaceAll("-", "_");
}

async function faultOf(name: string, check: () => Promise<void>): Promise<readonly Unready[]> {
  try {
    await check();
    return [];
  } catch (cause) {
    return [{ fault: `${name} out of reach`, cause }];
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
