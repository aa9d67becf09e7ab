/**
 * The reads that both databases share, and the methods of the port that they serve.
 *
 * @module
 */
import { createAdministrationReads } from "../admin/reads.ts";
import { createColumnRead } from "../admin/text_blocks.ts";
import { createApiKeyReads } from "./api_keys.ts";
import { createCommentReads } from "./comments.ts";
import { createContentReads } from "./content.ts";
import { createNodeReads } from "./nodes.ts";
import { createPageFactReads } from "./page_facts.ts";
import type { ReadPlan, Source } from "./query.ts";
import { createQueueReads } from "./queue.ts";
import { createReceiptReads } from "./receipts.ts";
import { createRowReads } from "./rows.ts";
import { createTimelineReads } from "./timeline.ts";
import { createTotalReads } from "./totals.ts";
import { createUploadReads } from "./uploads.ts";
import { createUserReads } from "./users.ts";

/** Declares the statements of all reads that one plan serves. */
export function createReads(source: Source) {
  return {
    ...createNodeReads(source),
    ...createContentReads(source),
    ...createRowReads(source),
    ...createPageFactReads(source),
    ...createUserReads(source),
    ...createApiKeyReads(source),
    ...createUploadReads(source),
    ...createCommentReads(source),
    ...createReceiptReads(source),
    ...createQueueReads(source),
    ...createAdministrationReads(source),
    ...createTimelineReads(source),
    ...createTotalReads(source),
    ...createColumnRead(source),
  };
}

export type Reads = ReturnType<typeof createReads>;

/** A read as a method of the port. */
export type Method<Read> = Read extends (...args: infer Args) => ReadPlan<infer T>
  ? (...args: Args) => Promise<T>
  : never;

/** Turns the reads into methods of the port; `run` runs one plan. */
export function toMethods(
  reads: Reads,
  run: (plan: ReadPlan<unknown>) => Promise<unknown>,
): { readonly [M in keyof Reads]: Method<Reads[M]> } {
  const methods = Object.entries(reads).map(([name, read]) => [
    name,
    // Sound because each read is called with its own arguments.
    (...args: unknown[]) => run((read as (...args: unknown[]) => ReadPlan<unknown>)(...args)),
  ]);
  // Sound because every read becomes a method, and `run` returns the result of its plan.
  return Object.fromEntries(methods);
}
