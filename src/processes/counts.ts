/**
 * Counts of each process, and their sums.
 *
 * @module
 */
import type { ServiceCounts } from "../policy_runtime/metrics.ts";
import type { PolicyStatus } from "../policy_runtime/status.ts";
import type { LineCounts } from "../shared/line_writer.ts";
import type { Metric } from "../shared/metrics.ts";

type Differences = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The counts of one process. */
export interface ProcessCounts {
  readonly log: LineCounts;
  readonly decisionLog: LineCounts | null;
  /** Null without a shadow policy. */
  readonly shadow: {
    readonly digest: string;
    readonly judged: number;
    readonly differences: Differences;
    readonly fieldDifferences: Differences;
  } | null;
  readonly metrics: readonly Metric[];
}

/** Returns the counts of this process. */
export function countsOf(
  { candidate }: PolicyStatus,
  counts: ServiceCounts,
  metrics: readonly Metric[],
): ProcessCounts {
  return {
    metrics,
    log: { ...counts.log },
    decisionLog: counts.decisionLog === undefined ? null : { ...counts.decisionLog },
    shadow: candidate === undefined ? null : {
      digest: candidate.digest,
      judged: candidate.judged,
      differences: toRecord(candidate.differences),
      fieldDifferences: toRecord(candidate.fieldDifferences),
    },
  };
}

function toRecord(
  differences: ReadonlyMap<string, Readonly<Record<string, number>>>,
): Differences {
  return Object.fromEntries([...differences].map(([name, counts]) => [name, { ...counts }]));
}

export interface SummedCounts {
  readonly status: PolicyStatus;
  readonly counts: ServiceCounts;
}

/** Adds the counts of other processes to those of this one. */
export function addCounts(own: SummedCounts, others: readonly ProcessCounts[]): SummedCounts {
  const { status, counts } = own;
  const { candidate } = status;
  const shadows = others.flatMap(({ shadow }) =>
    shadow?.digest === candidate?.digest ? shadow ?? [] : []
  );
  return {
    status: candidate === undefined ? status : {
      ...status,
      candidate: {
        ...candidate,
        judged: sum(candidate.judged, shadows.map(({ judged }) => judged)),
        differences: merge(candidate.differences, shadows.map((one) => one.differences)),
        fieldDifferences: merge(
          candidate.fieldDifferences,
          shadows.map((one) => one.fieldDifferences),
        ),
      },
    },
    counts: {
      ...counts,
      log: addLines(counts.log, others.map(({ log }) => log)),
      decisionLog: counts.decisionLog &&
        addLines(counts.decisionLog, others.flatMap(({ decisionLog }) => decisionLog ?? [])),
    },
  };
}

function addLines(own: LineCounts, others: readonly LineCounts[]): LineCounts {
  return {
    written: sum(own.written, others.map(({ written }) => written)),
    dropped: sum(own.dropped, others.map(({ dropped }) => dropped)),
  };
}

function merge<Counts extends object>(
  own: ReadonlyMap<string, Counts>,
  others: readonly Differences[],
): Map<string, Counts> {
  const merged = new Map(own);
  for (const [name, counts] of others.flatMap((one) => Object.entries(one))) {
    const before = merged.get(name);
    if (before === undefined) continue;
    const added = Object.entries(before)
      .map(([kind, count]) => [kind, Number(count) + (counts[kind] ?? 0)]);
    merged.set(name, { ...before, ...Object.fromEntries(added) });
  }
  return merged;
}

function sum(own: number, others: readonly number[]): number {
  return others.reduce((total, one) => total + one, own);
}
