/**
 * Prints notes: who answers for a rule or scope, and why it is as it is.
 *
 * @module
 */
import type { Note } from "../schema.ts";

/** Returns `@acme/search: Answers show titles.`; undefined without a note. */
export function noteText(note: Note | undefined): string | undefined {
  const parts = [note?.owner, note?.because].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(": ");
}

/** Returns the notes on some names, one line for each: `note  pages.read: @acme/pages`. */
export function noteLines(names: Iterable<string>, notes: ReadonlyMap<string, Note>): string {
  return [...new Set(names)].flatMap((name) => {
    const text = noteText(notes.get(name));
    return text === undefined ? [] : [`note   ${name}: ${text}\n`];
  }).join("");
}

/** Returns the notes on some names, for JSON. */
export function notesOn(
  names: Iterable<string>,
  notes: ReadonlyMap<string, Note>,
): Record<string, Note> {
  return Object.fromEntries([...new Set(names)].flatMap((name) => {
    const note = notes.get(name);
    return note === undefined ? [] : [[name, note]];
  }));
}
