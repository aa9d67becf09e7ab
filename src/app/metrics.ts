/**
 * The metrics of `/metrics`: those of all parts, of this process and of those beside it.
 *
 * @module
 */
import type { Config } from "../config/config.ts";
import { VERSION } from "./version.ts";
import { createEventLoopDelay, processMetrics } from "../health/process_metrics.ts";
import type { StorageHealth } from "../health/storage.ts";
import type { Deadlines } from "../http/deadline.ts";
import {
  type CountedRoute,
  createRequestMetrics,
  type RequestMetrics,
} from "../http/request_metrics.ts";
import type { DecisionLog } from "../policy_runtime/decision_log.ts";
import { type ServiceCounts, statusMetrics } from "../policy_runtime/metrics.ts";
import type { PolicyStatus } from "../policy_runtime/status.ts";
import { addCounts, countsOf, type ProcessCounts } from "../processes/counts.ts";
import type { ProcessGroup } from "../processes/group.ts";
import type { Log } from "../shared/log.ts";
import type { CacheCounts } from "../shared/cache_counts.ts";
import { backupMetrics } from "../health/backup_status.ts";
import { combineMetrics, type Metrics, metricsText } from "../shared/metrics.ts";
import { createRest, withRests } from "../shared/yield_to_event_loop.ts";
import { type MeasuredParts, partMetrics } from "./part_metrics.ts";

export interface ServiceMetricsOptions {
  readonly config: Pick<Config, "database" | "dataDir" | "files">;
  readonly metrics: Metrics;
  readonly served: readonly CountedRoute[];
  readonly deadlines: Pick<Deadlines, "size">;
  readonly health: Pick<StorageHealth, "damagedDocuments">;
  readonly status: () => PolicyStatus;
  readonly log: Pick<Log, "counts">;
  readonly decisionLog?: DecisionLog;
  readonly group?: ProcessGroup;
  readonly parts: Omit<MeasuredParts, "tokens">;
}

export interface ServiceMetrics {
  readonly recordRequest: RequestMetrics["record"];
  readonly registry: Metrics;
  /** Questions to the cache of verified tokens. */
  readonly tokens: CacheCounts;
  /** Returns the metrics of all processes in the text format of Prometheus. */
  text(): Promise<string>;
  /** Returns the counts of this process. */
  counts(): Promise<ProcessCounts>;
  close(): void;
}

/** Registers the metrics of the service, and starts to look at the event loop. */
export function createServiceMetrics(options: ServiceMetricsOptions): ServiceMetrics {
  const { config, metrics, group, status } = options;
  const requests = createRequestMetrics(options.served);
  const delay = createEventLoopDelay();
  const tokens = { hits: 0, misses: 0 };
  metrics.register(
    ...backupMetrics(config.dataDir),
    ...processMetrics({
      version: VERSION,
      database: config.database.kind,
      files: config.files.s3 === undefined ? "disk" : "s3",
    }),
    ...requests.sources,
    {
      name: "recto_http_requests_in_flight",
      type: "gauge",
      help: "Requests that are being handled, and replies that are being sent as streams.",
      read: () => [[{}, options.deadlines.size]],
    },
    ...partMetrics({ ...options.parts, tokens }),
    delay.source,
  );
  delay.start();
  const isPrimary = group?.isPrimary ?? true;
  const ownCounts = (): ServiceCounts => ({
    log: options.log.counts,
    decisionLog: options.decisionLog?.counts,
    damagedDocuments: options.health.damagedDocuments(),
  });
  return {
    recordRequest: requests.record,
    registry: metrics,
    tokens,
    text: shareCalls(async () => {
      const [own, others] = await Promise.all([metrics.read(isPrimary), group?.counts() ?? []]);
      const sums = addCounts({ status: status(), counts: ownCounts() }, others);
      const rest = createRest();
      const all = combineMetrics(own, others.map((one) => one.metrics));
      const combined = await withRests(all, rest);
      const text = metricsText([...statusMetrics(sums.status, sums.counts), ...combined]);
      return await withRests(text, rest);
    }),
    counts: async () => countsOf(status(), ownCounts(), await metrics.read(isPrimary)),
    close: delay.stop,
  };
}

/** Shares one call among all who ask while it runs: anybody may read metrics, and each read costs. */
function shareCalls<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () =>
    running ??= work().finally(() => {
      running = undefined;
    });
}
