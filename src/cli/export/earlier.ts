/**
 * The record of an earlier export in the same folder, so that an increment reads only what changed.
 *
 * @module
 */
import { normalizeId } from "../../content/values/ids.ts";
import type { ListedObject, Listing } from "./listing.ts";
import { titleOf } from "./listing.ts";

/** One object of an earlier export. */
export interface EarlierObject {
  readonly editedTime: string;
  /** The text that other objects show of it. A change makes them outdated, too. */
  readonly shown: string;
  /** IDs of the objects whose names or places are in its content. */
  readonly mentions: ReadonlySet<string>;
  /** The users in its content, by ID, each as it was shown; undefined if that is not known. */
  readonly users: ReadonlyMap<string, string> | undefined;
}

/** Which content has to be read again. */
export type IsOutdated = (object: ListedObject) => boolean;

export interface Increment {
  /** `last`, or the time since which all that was edited is read again. */
  readonly since: string;
  readonly earlier: ReadonlyMap<string, EarlierObject>;
  /** Returns the text that other objects show of an object now. */
  readonly shownOf: (object: ListedObject) => string;
  /** Resolves to what content shows of a user now. */
  readonly shownUser: (id: string) => Promise<string>;
  /** True if content also shows when the pages and databases in it were edited. */
  readonly showsEdits: boolean;
}

/**
 * Resolves to what is outdated in an earlier export: what was edited, and what shows the name or
 * place of an object that has another one now, is new or is gone, or a user who has changed.
 */
export async function findOutdated(
  listing: Listing,
  { since, earlier, shownOf, shownUser, showsEdits }: Increment,
): Promise<IsOutdated> {
  const moved = new Set<string>();
  const changed = new Set<string>();
  for (const [id, object] of listing) {
    const before = earlier.get(id);
    if (before?.shown !== shownOf(object)) moved.add(id);
    if (await showsOtherUsers(before, shownUser)) changed.add(id);
    const isEdited = before?.editedTime !== object.editedTime;
    if (showsEdits && isEdited && object.parentId !== undefined) changed.add(object.parentId);
  }
  for (const id of earlier.keys()) {
    if (!listing.has(id)) moved.add(id);
  }
  return ({ id, editedTime }) => {
    const before = earlier.get(id);
    if (before === undefined || before.editedTime !== editedTime) return true;
    if (moved.has(id) || changed.has(id)) return true;
    if (since !== "last" && editedTime >= since) return true;
    return moved.size > 0 && !before.mentions.isDisjointFrom(moved);
  };
}

async function showsOtherUsers(
  before: EarlierObject | undefined,
  shownUser: Increment["shownUser"],
): Promise<boolean> {
  if (before === undefined) return false;
  if (before.users === undefined) return true;
  for (const [id, shown] of before.users) {
    if (await shownUser(id) !== shown) return true;
  }
  return false;
}

/** An ID, as it is in URLs or elsewhere. */
const ID = /[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Returns all IDs in a text. */
export function idsIn(text: string): Set<string> {
  return new Set((text.match(ID) ?? []).map(normalizeId));
}

/** The text that JSON lines show of another object: its title. */
export const shownTitle = titleOf;
