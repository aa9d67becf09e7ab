/**
 * Making vectors of what changed, in the background.
 *
 * @module
 */
import { TextsRefused } from "../search/embedder.ts";
import { type Passage, passagesOf } from "../search/passages.ts";
import { pack, type Vector } from "../search/vectors/vector.ts";
import type { DuePage } from "../store/port.ts";
import type { PageVectors } from "../store/vector_port.ts";
import { embedPages } from "./embed_pages.ts";
import { readPageTexts } from "./page_texts.ts";
import { createTargets, type TargetOptions } from "./targets.ts";

export interface IndexerOptions extends TargetOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told of a page that stays without vectors until it changes. */
  onRefused(pageId: string, refusal: TextsRefused): void;
}

export interface Indexer {
  /**
   * Does the next piece of work; false where there is none. Rejects where an embedder cannot do it
   * now: what was taken comes back to the queue when its lease ends.
   */
  step(signal: AbortSignal): Promise<boolean>;
}

/** Pages of one piece of work. */
const BATCH = 32;
/** Long enough for a slow service that is asked again and again. */
const LEASE = 5 * 60_000;
/** Pages that come due at once because a space is new. */
const FILL = 256;
/** Pages whose forgotten vectors are deleted at once. */
const SWEEP = 500;

/** What works on the queue of every workspace; any number of processes may share one database. */
export function createIndexer(
  { store, embedders, now, learn, onRefused }: IndexerOptions,
): Indexer {
  /** Workspaces of which there may be something to do beside the queue; all at the start. */
  let unsettled: Set<string> | undefined;
  const targets = createTargets({ store, embedders, learn });

  async function index(
    workspace: string,
    taken: readonly DuePage[],
    signal: AbortSignal,
  ): Promise<void> {
    const space = await targets.find(workspace, signal);
    const embedder = space && await embedders.find(workspace, space);
    if (space === undefined || embedder === undefined) {
      // All pages come due again for the first space that there is.
      return await store.finishDue(workspace, taken);
    }
    const texts = await readPageTexts(store, workspace, taken.map(({ id }) => id));
    const passages = taken.map(({ id }) => passagesOf(texts.get(id) ?? { title: "", blocks: [] }));
    const embedded = await embedPages(embedder, passages, signal);
    const pages = taken.map((page, index) => ({
      ...page,
      ...toVectors(passages[index] ?? [], embedded[index] ?? []),
    }));
    await store.saveVectors(workspace, space.number, pages);
    taken.forEach(({ id }, index) => {
      const vectors = embedded[index];
      if (vectors instanceof TextsRefused) onRefused(id, vectors);
    });
  }

  /** Does the next piece of what a new space needs. */
  async function settle(workspace: string, signal: AbortSignal): Promise<Settling> {
    const space = await targets.find(workspace, signal);
    if (space === undefined) return "settled";
    if (!space.isFilled) {
      if (await store.countDue(workspace) >= FILL) return "waiting";
      await store.fillSpace(workspace, space.number, FILL);
      return "working";
    }
    if (!space.isComplete) {
      if (await store.countDue(workspace) > 0) return "waiting";
      await store.completeSpace(workspace, space.number);
    }
    const extended = store.vectorIndex?.extend(workspace, space.number);
    // The database may be at it for minutes, which nobody is to wait for who stops the service.
    if (extended !== undefined && await unlessAborted(extended, signal)) return "working";
    return await store.sweepVectors(workspace, SWEEP) > 0 ? "working" : "settled";
  }

  async function settleNext(signal: AbortSignal): Promise<boolean> {
    unsettled ??= new Set(await store.searchedWorkspaces());
    const [workspace] = unsettled;
    if (workspace === undefined) return false;
    const settling = await settle(workspace, signal);
    // Behind the others, which get their turn.
    unsettled.delete(workspace);
    if (settling !== "settled") unsettled.add(workspace);
    return settling === "working";
  }

  return {
    async step(signal) {
      let worked = false;
      // A batch of each, so that a large workspace lets the others have their turn.
      for (const workspace of await store.dueWorkspaces()) {
        const lease = { now: now(), until: now() + LEASE, limit: BATCH };
        const taken = await store.takeDue(workspace, lease);
        if (taken.length === 0) continue;
        worked = true;
        unsettled?.add(workspace);
        await index(workspace, taken, signal);
      }
      // What a new space needs comes behind what is due: to see how much that is takes a look at all.
      return worked || await settleNext(signal);
    },
  };
}

/** What work answers; rejects as soon as the signal is aborted. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** `waiting`: for what is in the queue. */
type Settling = "working" | "waiting" | "settled";

/** The vectors of a page's passages as they are saved; none of a page that is refused. */
function toVectors(
  passages: readonly Passage[],
  vectors: readonly Vector[] | TextsRefused,
): Omit<PageVectors, "id"> {
  if (vectors instanceof TextsRefused) return { blocks: [], vectors: joined([]) };
  return { blocks: passages.map(({ blockId }) => blockId), vectors: joined(vectors.map(pack)) };
}

function joined(packed: readonly Int8Array[]): Uint8Array {
  const dimensions = packed[0]?.length ?? 0;
  const bytes = new Uint8Array(dimensions * packed.length);
  packed.forEach((vector, index) => bytes.set(new Uint8Array(vector), index * dimensions));
  return bytes;
}
