/**
 * The composition root: connects all parts of the service according to the configuration.
 *
 * @module
 */
import { endpoints } from "../api/endpoints.ts";
import type { PublishedDocument, Services } from "../api/shared/services.ts";
import type { Config } from "../config/config.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import { ANONYMOUS, type Principal } from "../auth/principal.ts";
import { divideRoutes } from "./admin_routes.ts";
import { type Authentication, openAuthentication } from "./authentication.ts";
import { createAddressLimit } from "../http/address_limit.ts";
import type { AuditLog } from "../http/audit_log.ts";
import { createAddressOf } from "../http/client_address.ts";
import { AppError } from "../shared/errors.ts";
import { warnOfSources } from "../health/readiness.ts";
import {
  createStorageHealth,
  isDamage,
  type StorageFailure,
  type StorageHealth,
} from "../health/storage.ts";
import {
  createStorageCheck,
  type StorageCheck,
  type StorageCheckOptions,
} from "../health/storage_check.ts";
import { createCors } from "../http/cors.ts";
import { createUnreadAnswers } from "../http/unread_answers.ts";
import { createBodySlots } from "../http/body_slots.ts";
import { createDeadlines, type Deadlines } from "../http/deadline.ts";
import { createRequestParser, LIMITS } from "../http/request.ts";
import { createDrain, type Drain } from "../http/drain.ts";
import {
  createHandler,
  type Handler,
  type Pipeline,
  type RequestHandler,
} from "../http/pipeline.ts";
import type { AuthGate } from "../http/route.ts";
import { createRateLimiter } from "../http/rate_limit.ts";
import { createRouter } from "../http/router.ts";
import { createFileCheck, openFileStorage } from "./files.ts";
import { openIndexing } from "./indexing.ts";
import { createServiceMetrics, type ServiceMetrics } from "./metrics.ts";
import { countTokens } from "./part_metrics.ts";
import { openServices, type PolicyServices, selectServices } from "./services.ts";
import type { DecisionLog } from "../policy_runtime/decision_log.ts";
import { createPolicies, type Policies, type PolicySnapshot } from "../policy_runtime/policies.ts";
import { createRoutes } from "../policy_runtime/routes.ts";
import type { ProcessCounts } from "../processes/counts.ts";
import type { ProcessGroup } from "../processes/group.ts";
import { describePolicy, policyNotices } from "../policy_runtime/status.ts";
import type { Materializer, MaterializerOptions } from "../api/shared/materializer.ts";
import { createHousekeeping, type Housekeeping } from "../maintenance/housekeeping.ts";
import { notionErrors } from "../notion/errors.ts";
import { notionEndpoints } from "../notion/routes.ts";
import type { Background } from "../indexing/background.ts";
import type { Indexer } from "../indexing/indexer.ts";
import { ALWAYS_DURABLE } from "../shared/durable.ts";
import { type Log, summarize } from "../shared/log.ts";
import { createMetrics, type Metrics } from "../shared/metrics.ts";
import type { Store, UserStore } from "../store/port.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { createMarkdownPrinter } from "../workers/markdown_printer.ts";
import { createMarkdownReader } from "../workers/markdown_reader.ts";
import { scopesIn } from "../shared/acr.ts";

/** The options include the policy and the OpenAPI document at the start. */
export interface AppOptions extends PolicySnapshot<PublishedDocument> {
  readonly config: Config;
  readonly publicUrl: string;
  readonly store: Store;
  readonly log: Log;
  /** Milliseconds since the epoch; default the system's clock. */
  readonly now?: () => number;
  /** Default: {@linkcode LIMITS}. */
  readonly limits?: Partial<
    Record<"bodyBytes" | "bodyTime" | "uploadPaceTime" | "requestTime" | "unreadBytes", number>
  >;
  /** The authority that Deno puts into the URL of a request without `Host`. */
  readonly fallbackAuthority?: string;
  readonly decisionLog?: DecisionLog;
  readonly auditLog?: AuditLog;
  /** The other processes of this service; undefined if there are none. */
  readonly group?: ProcessGroup;
  /** With a group: whether requests that write belong to its primary. */
  readonly forwardsWrites?: boolean;
  /** The registry with the metrics of other parts; default: an empty one. */
  readonly metrics?: Metrics;
  /** Exports requests and metrics; undefined: nothing is exported. */
  readonly telemetry?: Telemetry | undefined;
  /** How the values of formulas are materialized; default: as {@linkcode createMaterializer} has it. */
  readonly materializing?: Pick<MaterializerOptions, "from" | "slice">;
  /** Checks the structure of the database, off the event loop. */
  readonly checkStructure?: StorageCheckOptions["checkStructure"];
}

export interface App {
  readonly handler: Handler;
  /** Handles requests to the admin port. */
  readonly adminHandler: Handler;
  /** Like `handler`, for a request that came to another process. */
  readonly handleForwarded: RequestHandler;
  readonly policies: Policies<PublishedDocument>;
  /** Records a failure of storage that another process noticed. */
  readonly recordFailure: (failure: StorageFailure) => void;
  /** Returns the counts of this process. */
  readonly counts: () => Promise<ProcessCounts>;
  /** Indexes changed content in the background, once started. */
  readonly indexing: Pick<Background, "start"> & Indexer;
  /** Materializes formulas in the background, once queries ask for it. */
  readonly materializer: Pick<Materializer, "settled">;
  /** Checks storage and token verification in the background, once started. */
  readonly checks: { start(): void };
  /**
   * Sends `Connection: close` from now on, and settles when no request is in flight and none has
   * come for `quiet` milliseconds.
   */
  drain(quiet?: number): Promise<void>;
  close(): Promise<void>;
}

/** Connects everything; rejects if a part cannot start. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, store, log, publicUrl } = options;
  const now = options.now ?? Date.now;
  const limits = { ...LIMITS, ...options.limits };
  const authentication = await openAuthentication({ ...config, publicUrl, store });
  const deadlines = createDeadlines(limits.requestTime);
  const markdownReader = createMarkdownReader();
  const markdownPrinter = createMarkdownPrinter();
  const runs = isPrimary(options);
  const { spaces, indexer, background } = openIndexing({ config, store, log, now, runs });
  const { health, storageCheck, recordFailure } = openStorageHealth(options, now);
  const onDamaged = (error: unknown): void => recordFailure({ code: "data_corrupted", error });
  const files = await openFileStorage({ ...options, now, sweeps: runs, onDamaged });
  const housekeeping = openHousekeeping(options, now);
  const drain = createDrain();
  const { isDraining } = drain;
  const services = await openServices(options, {
    authentication,
    health,
    markdownReader,
    markdownPrinter,
    spaces,
    now,
    isDraining,
    files: files.files,
  });
  const served = config.notionApi ? [...endpoints, ...notionEndpoints] : endpoints;
  const metrics = createServiceMetrics({
    metrics: createMetrics(),
    ...options,
    served,
    deadlines,
    health,
    parts: { services, markdownReader, housekeeping, store },
    status: () => policies.status,
  });
  options.telemetry?.exportMetrics(metrics.registry, runs);
  const pipeline = createPipelineParts(options, {
    authentication,
    recordFailure,
    deadlines,
    limits,
    now,
    drain,
    metrics,
  });
  const { policies, handlers } = openPolicies(options, { pipeline, services, served, metrics });
  return {
    handler: (request, connection) => handlers().open(request, connection),
    adminHandler: (request, connection) => handlers().admin(request, connection),
    handleForwarded: (request, connection) => handlers().open(request, connection),
    policies,
    recordFailure: health.recordFailure,
    counts: metrics.counts,
    indexing: { start: background.start, ...indexer },
    materializer: services.materializer,
    checks: {
      start: () => startChecks({ storageCheck, authentication, housekeeping }, options, now),
    },
    drain: async (quiet = 0) => {
      drain.begin();
      await drain.quiet(quiet);
      await deadlines.idle();
    },
    close: () => {
      for (const one of [deadlines, metrics, policies]) one.close();
      const works = [
        services.materializer,
        background,
        storageCheck,
        authentication,
        housekeeping,
        files,
      ];
      return closeAll(works, { ...options, workers: [markdownReader, markdownPrinter] });
    },
  };
}

/** The handlers of a policy. */
interface Handlers {
  readonly open: RequestHandler;
  /** The handler of the admin port. */
  readonly admin: RequestHandler;
}

interface HandlerParts {
  readonly pipeline: ReturnType<typeof createPipelineParts>;
  readonly services: Omit<Services, keyof PolicyServices>;
  readonly served: typeof endpoints;
  readonly metrics: ServiceMetrics;
}

interface OpenedPolicies {
  readonly policies: Policies<PublishedDocument>;
  /** Returns the handlers of the policy that is active. */
  readonly handlers: () => Handlers;
}

function openPolicies(
  options: AppOptions,
  { pipeline, services, served, metrics }: HandlerParts,
): OpenedPolicies {
  const { config, decisionLog, log } = options;
  // INVARIANT: a request reads this once. Everything that depends on the policy hangs on it, so
  // each request is handled with one policy and one document.
  let current: Handlers;
  const policies = createPolicies({
    snapshot: { policy: options.policy, published: options.published },
    install: ({ policy, published }, observers) => {
      const own: PolicyServices = {
        published,
        scopes: scopesIn(policy.scopes.keys()),
        policy: () => describePolicy(policies.status),
        policyNotices: () => policyNotices(policies.status),
        metrics: metrics.text,
      };
      const routes = createRoutes({ endpoints: served, policy, observers });
      const parts = { ...pipeline, servicesFor: selectServices({ ...services, ...own }) };
      current = createHandlers(parts, divideRoutes(routes, config.admin !== undefined));
    },
    decisionLog,
    log,
    announces: isPrimary(options),
  });
  return { policies, handlers: () => current };
}

function createHandlers(
  parts: Omit<Pipeline<Services>, "router">,
  { open, admin }: ReturnType<typeof divideRoutes>,
): Handlers {
  return {
    open: createHandler({ ...parts, router: createRouter(open) }),
    admin: createHandler({ ...parts, router: createRouter(admin) }),
  };
}

interface ClosedParts extends Pick<AppOptions, "store" | "log" | "decisionLog" | "auditLog"> {
  readonly workers: readonly { close(): void }[];
}

/** Stops the work in the background one by one, then closes what it used. */
async function closeAll(
  works: readonly ({ stop(): Promise<void> } | { close(): Promise<void> })[],
  { store, log, decisionLog, auditLog, workers }: ClosedParts,
): Promise<void> {
  for (const work of works) await ("stop" in work ? work.stop() : work.close());
  await decisionLog?.flush();
  await auditLog?.flush();
  for (const worker of workers) worker.close();
  void log.flush();
  await store.close();
}

interface PipelineParts {
  readonly authentication: Authentication;
  readonly recordFailure: CheckedStorage["recordFailure"];
  readonly deadlines: Deadlines;
  readonly limits: { readonly [Name in keyof typeof LIMITS]: number };
  readonly now: () => number;
  readonly drain: Drain;
  readonly metrics: ServiceMetrics;
}

/** Creates the parts of the request handler that do not depend on the policy. */
function createPipelineParts(
  { config, store, log, auditLog, fallbackAuthority, group, telemetry, ...options }: AppOptions,
  { authentication, recordFailure, deadlines, limits, now, drain, metrics }: PipelineParts,
) {
  const limitRate: ProcessGroup["limitRate"] = group?.limitRate ??
    ((name, rate) => createRateLimiter(rate, name));
  return {
    parseRequest: createRequestParser(fallbackAuthority),
    gate: countTokens(createAuthGate(authentication.authenticator, store), metrics.tokens),
    rateLimiter: limitRate("default", config.rate),
    addressLimit: createAddressLimit(
      limitRate("address", config.addressRate),
      createAddressOf(config.trustedProxies),
    ),
    cors: createCors(config.corsOrigins),
    visible: store.early?.state ?? ALWAYS_DURABLE,
    log: toRequestLog({ log, recordFailure, metrics, telemetry }),
    ...(group?.isPrimary === false &&
      { forwarder: group.createForwarder(options.forwardsWrites ?? false) }),
    errorFormats: config.notionApi ? [notionErrors] : [],
    ...(auditLog && { audit: auditLog }),
    deadlines,
    limits,
    bodySlots: createBodySlots(limits),
    unread: createUnreadAnswers(limits),
    now,
    drain,
  };
}

interface CheckedStorage {
  readonly health: StorageHealth;
  readonly storageCheck: StorageCheck;
  /** Records a failure of storage for all processes. */
  readonly recordFailure: (failure: StorageFailure) => void;
}

function openStorageHealth(
  { config, store, log, checkStructure, group }: AppOptions,
  now: () => number,
): CheckedStorage {
  const health = createStorageHealth({ store, log, now });
  const onFailure = (error: unknown): void => {
    if (error instanceof AppError) health.recordFailure({ code: error.code, error: error.cause });
    log.event("warn", `Storage check failed, will retry: ${summarize(error)}`);
  };
  const checkFiles = createFileCheck(config, store, health.isKnownDamaged);
  return {
    health,
    storageCheck: createStorageCheck({ store, health, checkStructure, checkFiles, onFailure }),
    recordFailure: (failure) => {
      health.recordFailure(failure);
      if (group?.isPrimary === false) reportFailure(group, failure);
    },
  };
}

const PROBES = new Set<string | null>(
  endpoints.filter(({ probe }) => probe).map(({ path }) => path),
);

interface RequestLogParts {
  readonly log: Log;
  readonly recordFailure: CheckedStorage["recordFailure"];
  readonly metrics: ServiceMetrics;
  readonly telemetry: Telemetry | undefined;
}

/**
 * Returns the log of requests: it counts them, records storage failures, and knows monitors.
 */
function toRequestLog({ log, recordFailure, metrics, telemetry }: RequestLogParts): Log {
  return {
    ...log,
    request: (record) => {
      metrics.recordRequest(record);
      if (record.error !== undefined) recordFailure(record);
      const isProbe = PROBES.has(record.route);
      if (telemetry === undefined) log.request(record, isProbe);
      else telemetry.request(record, (ids) => log.request(record, isProbe, ids));
    },
  };
}

/** The primary answers for the readiness of all. */
function reportFailure(group: ProcessGroup, { code, error }: StorageFailure): void {
  if (code !== "storage_full" && code !== "data_corrupted") return;
  const document = isDamage(error)
    ? { workspace: error.workspace, id: error.id, issue: error.issue }
    : null;
  group.reportFailure({ code, document });
}

/**
 * Returns whether this process does the work that is done once, whatever the number of processes.
 */
function isPrimary({ group }: AppOptions): boolean {
  return group?.isPrimary ?? true;
}

function openHousekeeping({ config, store, log }: AppOptions, now: () => number): Housekeeping {
  return createHousekeeping({
    store,
    now,
    retention: config.trashRetention,
    onFailure: (error) =>
      log.event("warn", `Emptying the trash failed, will retry: ${summarize(error)}`),
  });
}

interface BackgroundChecks {
  readonly storageCheck: StorageCheck;
  readonly authentication: Authentication;
  readonly housekeeping: Housekeeping;
}

function startChecks(
  { storageCheck, authentication: { sources }, housekeeping }: BackgroundChecks,
  options: AppOptions,
  now: () => number,
): void {
  if (!isPrimary(options)) return;
  storageCheck.start();
  housekeeping.start();
  void warnOfSources(sources, options.log, now());
}

function createAuthGate(authenticator: Authenticator, store: UserStore): AuthGate {
  const storedCallers = new WeakSet<Principal>();
  return {
    ...authenticator,
    anonymous: ANONYMOUS,
    ensureUser: (caller) => {
      if (storedCallers.has(caller)) return undefined;
      const { userId: id, type, name, email, avatarUrl, subjectHash: pseudonym } = caller;
      return store.saveUser(caller.workspace, { id, type, name, email, avatarUrl, pseudonym })
        .then(() => void storedCallers.add(caller));
    },
  };
}
