/**
 * The metrics of a store: how long it takes, what waits for it, and what it had to try again.
 *
 * @module
 */
import { createHistogram, type Histogram } from "../shared/histogram.ts";
import type { MetricSource, Sample } from "../shared/metrics.ts";
import type { EarlyCommits, ShareTransaction, Store } from "./port.ts";
import { WRITING_METHODS } from "./writing.ts";

/** The connections that transactions take turns with. */
export interface PoolState {
  readonly size: number;
  readonly busy: number;
  readonly waiting: number;
}

export interface StoreMetrics {
  readonly reads: Histogram;
  readonly writes: Histogram;
  /** How long work waited for its turn in the database: for the writer, or for a connection. */
  readonly waits: Histogram;
  readonly commits: { committed: number; conflict: number; failed: number };
  readonly retries: { count: number };
  /** Undefined: there is no pool. */
  pool: (() => PoolState) | undefined;
}

export function createStoreMetrics(): StoreMetrics {
  return {
    reads: createHistogram(),
    writes: createHistogram(),
    waits: createHistogram(),
    commits: { committed: 0, conflict: 0, failed: 0 },
    retries: { count: 0 },
    pool: undefined,
  };
}

/** Returns what is measured, for the registry. */
export function storeSources(metrics: StoreMetrics): readonly MetricSource[] {
  const { reads, writes, waits, commits, retries } = metrics;
  const pool = (samples: (state: PoolState) => Sample[]) => () =>
    metrics.pool === undefined ? [] : samples(metrics.pool());
  return [{
    name: "recto_store_duration_seconds",
    type: "histogram",
    help: "Time of calls of the database, reads and writes; a write includes its wait.",
    read:
      () => [...reads.samples({ operation: "read" }), ...writes.samples({ operation: "write" })],
  }, {
    name: "recto_store_wait_seconds",
    type: "histogram",
    help: "Time that work waited for the writer of the SQLite file or a PostgreSQL connection.",
    read: () => waits.samples(),
  }, {
    name: "recto_store_commits_total",
    type: "counter",
    help: "Commits of content: committed, in conflict with another one, or failed.",
    read: () => Object.entries(commits).map(([result, count]): Sample => [{ result }, count]),
  }, {
    name: "recto_store_retries_total",
    type: "counter",
    help: "Times that work was tried again because PostgreSQL was out of reach or aborted it.",
    read: () => [[{}, retries.count]],
  }, {
    name: "recto_store_pool_connections",
    type: "gauge",
    help: "PostgreSQL connections for transactions: busy and idle.",
    read: pool(({ size, busy }) => [[{ state: "busy" }, busy], [{ state: "idle" }, size - busy]]),
  }, {
    name: "recto_store_pool_waiting",
    type: "gauge",
    help: "Transactions that wait for a PostgreSQL connection.",
    read: pool(({ waiting }) => [[{}, waiting]]),
  }];
}

/** Returns the store, with its writes and commits measured. */
export function measureWrites<S extends Store>(store: S, metrics: StoreMetrics): S {
  const methods = WRITING_METHODS.map((method) => [
    method,
    // Sound because each method is called with its own arguments.
    measured(store[method] as (...args: unknown[]) => Promise<unknown>, metrics.writes),
  ]);
  const { commit }: Pick<Store, "commit"> = Object.fromEntries(methods);
  return {
    ...store,
    ...Object.fromEntries(methods),
    commit: countCommits(commit, metrics),
    ...(store.early && {
      early: { ...store.early, apply: measuredApply(store.early.apply, metrics) },
    }),
    ...(store.shareTransaction && {
      shareTransaction: countParts(store.shareTransaction, metrics),
    }),
  };
}

/** Counts the commits of shared transactions; measures the transaction as one write. */
function countParts(
  share: ShareTransaction,
  { writes, commits }: StoreMetrics,
): ShareTransaction {
  return async (workspace, works) => {
    let committed = 0;
    const counted = works.map((work): typeof work => (part) =>
      work({
        ...part,
        commit: async (...args) => {
          const outcome = await part.commit(...args);
          if (outcome === "committed") committed++;
          return outcome;
        },
      })
    );
    const outcomes = await measured(() => share(workspace, counted), writes)();
    // What was undone is done again by itself.
    if (outcomes !== undefined) commits.committed += committed;
    return outcomes;
  };
}

/** Measures until the disk has a commit. */
function measuredApply(
  apply: EarlyCommits["apply"],
  metrics: StoreMetrics,
): EarlyCommits["apply"] {
  return async (...args) => {
    const applying = apply(...args);
    const whole = async () => {
      const { outcome, durable } = await applying;
      await durable;
      return outcome;
    };
    countCommits(measured(whole, metrics.writes), metrics)("", []).catch(() => {});
    return await applying;
  };
}

function countCommits(commit: Store["commit"], { commits }: StoreMetrics): Store["commit"] {
  return async (...args) => {
    try {
      const outcome = await commit(...args);
      commits[outcome]++;
      return outcome;
    } catch (error) {
      commits.failed++;
      throw error;
    }
  };
}

/** Measures a method until its promise settles. */
export function measured<Args extends unknown[], T>(
  method: (...args: Args) => Promise<T>,
  { observe }: Pick<Histogram, "observe">,
): (...args: Args) => Promise<T> {
  return async (...args) => {
    const began = performance.now();
    try {
      return await method(...args);
    } finally {
      observe(performance.now() - began);
    }
  };
}
