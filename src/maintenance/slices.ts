/**
 * Long deletions, slice by slice, with a rest after each so that other writers come first.
 *
 * @module
 */
import type { Administration, PurgeEdit } from "../store/port.ts";

/** Rests after a slice that took so many milliseconds; rejects if the work must stop. */
export type Rest = (took: number) => Promise<void>;

/** Nodes, rows or receipts of one slice: some milliseconds. */
const ROWS = 100;
/** Free pages that are given back at once: 1 MiB. */
const PAGES = 256;

/** Does slices until one has nothing to do; returns the sum of what they did. */
export async function repeatSlices(slice: () => Promise<number>, rest: Rest): Promise<number> {
  let sum = 0;
  for (;;) {
    const began = performance.now();
    const count = await slice();
    if (count === 0) return sum;
    sum += count;
    await rest(performance.now() - began);
  }
}

/**
 * Deletes a page, database or block for good, with everything below it. Returns false if there is none
 * with this ID. If it is interrupted, the service continues it.
 */
export async function purge(
  store: Pick<Administration, "beginPurge" | "purgeSlice">,
  node: { readonly workspace: string; readonly id: string; readonly edit: PurgeEdit },
  rest: Rest,
): Promise<boolean> {
  const { workspace, id, edit } = node;
  if (!await store.beginPurge(workspace, id, edit)) return false;
  await repeatSlices(() => store.purgeSlice(workspace, id, ROWS), rest);
  return true;
}

/** Deletes all rows of a workspace, but for its files: a sweep deletes them. */
export function deleteWorkspace(
  store: Pick<Administration, "deleteWorkspaceSlice">,
  workspace: string,
  rest: Rest,
): Promise<number> {
  return repeatSlices(() => store.deleteWorkspaceSlice(workspace, ROWS), rest);
}

/** Deletes the receipts of a workspace that expired by `now`; returns how many. */
export function expireReceipts(
  store: Pick<Administration, "expireReceipts">,
  workspace: string,
  now: number,
  rest: Rest,
): Promise<number> {
  return repeatSlices(() => store.expireReceipts(workspace, now, ROWS), rest);
}

/** Deletes receipts of a workspace whose replies contain one of these texts. */
export async function eraseReceipts(
  store: Pick<Administration, "eraseReceipts">,
  workspace: string,
  texts: readonly string[],
  rest: Rest,
): Promise<void> {
  let after = "";
  await repeatSlices(async () => {
    const last = await store.eraseReceipts(workspace, texts, { after, limit: ROWS });
    after = last ?? after;
    return last === undefined ? 0 : 1;
  }, rest);
}

/** Brings all words to the current analysis, slice by slice. */
export async function reanalyse(
  store: Pick<Administration, "reanalyseSlice">,
  rest: Rest,
): Promise<void> {
  await repeatSlices(() => store.reanalyseSlice(), rest);
}

/** Seals the texts of all databases in blocks. */
export async function sealTexts(
  store: Pick<Administration, "nextColumn" | "sealTexts">,
  rest: Rest,
): Promise<void> {
  for (
    let column = await store.nextColumn(undefined);
    column !== undefined;
    column = await store.nextColumn(column)
  ) {
    const sealed = column;
    if (sealed.hasTexts) await repeatSlices(() => store.sealTexts(sealed), rest);
    await rest(0);
  }
}

/** Frees the space of removed words. */
export async function mergeWords(
  store: Pick<Administration, "mergeWords">,
  rest: Rest,
): Promise<void> {
  await repeatSlices(async () => await store.mergeWords() ? 1 : 0, rest);
}

/** Gives free pages back to the disk, as far as the database can while it is used. */
export async function reclaimSpace(
  store: Pick<Administration, "reclaimSpace">,
  rest: Rest,
): Promise<void> {
  await repeatSlices(async () => await store.reclaimSpace(PAGES) ? 1 : 0, rest);
}

/** Goes through the trash of a workspace. */
export async function* trashOf(store: Pick<Administration, "trashEntries">, workspace: string) {
  let after = "";
  for (;;) {
    const entries = await store.trashEntries(workspace, after, ROWS);
    yield* entries;
    const last = entries.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Goes through names, each found behind the one before. */
export async function* allOf(next: (after: string) => Promise<string | undefined>) {
  for (let name = await next(""); name !== undefined; name = await next(name)) yield name;
}
