/**
 * Metrics of single parts of the service: caches, Workers, work in the background, and files.
 *
 * @module
 */
import type { Services } from "../api/shared/services.ts";
import type { AuthGate } from "../http/route.ts";
import type { Housekeeping } from "../maintenance/housekeeping.ts";
import { type CacheCounts, countAnswer } from "../shared/cache_counts.ts";
import type { MetricSource, Sample } from "../shared/metrics.ts";
import type { TotalReader } from "../store/port.ts";
import type { MarkdownReader } from "../workers/markdown_reader.ts";

export interface MeasuredParts {
  readonly services: Pick<
    Services,
    "pageReplies" | "replies" | "rowTexts" | "databases" | "queueWrite"
  >;
  readonly tokens: CacheCounts;
  readonly markdownReader: Pick<MarkdownReader, "counts">;
  readonly store: TotalReader;
  readonly housekeeping: Pick<Housekeeping, "files">;
}

/** Rows of a backlog that are counted at most: some milliseconds. */
const MOST = 10_000;

/** Returns the metrics of these parts. */
export function partMetrics(parts: MeasuredParts): readonly MetricSource[] {
  const { services, tokens, markdownReader, housekeeping } = parts;
  const { pageReplies: pages, replies, rowTexts: rows, databases } = services;
  const counts = {
    tokens,
    pages: pages.counts,
    replies: replies.counts,
    rows: rows.counts,
    databases: databases.counts,
  };
  return [{
    name: "recto_cache_requests_total",
    type: "counter",
    help:
      "Questions to the caches of verified tokens, pages, other replies, listed rows and database schemas.",
    read: () =>
      Object.entries(counts).flatMap(([cache, { hits, misses }]): Sample[] => [
        [{ cache, result: "hit" }, hits],
        [{ cache, result: "miss" }, misses],
      ]),
  }, {
    name: "recto_workspace_lock_wait_seconds",
    type: "histogram",
    help: "Time that writes waited for an earlier write of their workspace; of those that had to.",
    read: () => services.queueWrite.waits.samples(),
  }, {
    name: "recto_workers",
    type: "gauge",
    help: "Workers that read Markdown: busy, and idle.",
    read: () => {
      const { busy, idle } = markdownReader.counts();
      return [[{ state: "busy" }, busy], [{ state: "idle" }, idle]];
    },
  }, {
    name: "recto_worker_tasks_waiting",
    type: "gauge",
    help: "Markdown texts that wait for a Worker.",
    read: () => [[{}, markdownReader.counts().waiting]],
  }, {
    name: "recto_background_backlog",
    type: "gauge",
    help:
      `Pages whose vectors are due, workspaces that are not in the word index, and files to be deleted; up to ${MOST} each.`,
    combine: "primary",
    read: () => backlogSamples(parts.store),
  }, {
    name: "recto_files",
    type: "gauge",
    help: "Stored files, counted every five minutes.",
    combine: "primary",
    read: () => housekeeping.files === undefined ? [] : [[{}, housekeeping.files.files]],
  }, {
    name: "recto_files_bytes",
    type: "gauge",
    help: "Bytes of the stored files, counted every five minutes.",
    combine: "primary",
    read: () => housekeeping.files === undefined ? [] : [[{}, housekeeping.files.bytes]],
  }];
}

async function backlogSamples(store: TotalReader): Promise<Sample[]> {
  const { vectors, words, orphans } = await store.backlogs(MOST);
  return [
    [{ queue: "vectors" }, vectors],
    [{ queue: "words" }, words],
    [{ queue: "deleted_files" }, orphans],
  ];
}

/** Returns the gate; it counts how often a token was verified recently. */
export function countTokens(gate: AuthGate, counts: CacheCounts): AuthGate {
  return {
    ...gate,
    findCached: (authorization, now) => {
      const found = gate.findCached(authorization, now);
      return authorization === null ? found : countAnswer(counts, found);
    },
  };
}
