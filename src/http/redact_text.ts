/**
 * Removes the fields that the policy hides from serialized JSON, in one pass over its pieces.
 *
 * INVARIANT: the service writes JSON without spaces, and `object` is the first member of an object
 * that has it. Where it is not, all of the JSON is parsed.
 *
 * @module
 */
import { evenPieces, LongText } from "../shared/long_text.ts";
import { endOfPiece } from "../shared/text_pieces.ts";
import { createRest } from "../shared/yield_to_event_loop.ts";
import { type FieldPath, redact } from "./redact.ts";

/** Returns serialized JSON without the hidden fields. */
export function redactText(json: string, hidden: readonly FieldPath[]): string {
  const redacted = createRedaction(hidden)(json, true);
  return redacted ?? JSON.stringify(redact(JSON.parse(json), hidden));
}

/** A long text that was redacted. */
export class RedactedText extends LongText {}

/** Like {@linkcode redactText}, with rests between the pieces of a long text. */
export async function redactLongText(
  text: LongText,
  hidden: readonly FieldPath[],
): Promise<RedactedText> {
  if (hidden.length === 0) return new RedactedText(text.pieces);
  const rest = createRest();
  const next = createRedaction(hidden);
  const redacted: string[] = [];
  for (const piece of withEnd(evenPieces(text.pieces))) {
    const part = next(piece, piece === END);
    if (part === undefined) return new RedactedText([redactText(String(text), hidden)]);
    redacted.push(part);
    await rest();
  }
  return new RedactedText(redacted);
}

/** Behind the last piece. */
const END = "";

function* withEnd(pieces: Iterable<string>): Generator<string> {
  yield* pieces;
  yield END;
}

/** Names of the members that lead to a hidden field, as they are written: `"email":`. */
type Path = readonly string[];

interface HiddenField {
  /** The first member of the objects that have it: `"object":"user"`. */
  readonly tag: string;
  readonly path: Path;
}

/** An object or list that began and has not ended. */
interface OpenValue {
  /** The paths from here to hidden fields. */
  readonly paths: readonly Path[];
  /** True until a member is shown. */
  isEmpty: boolean;
}

/** The progress through a text. */
interface Scan {
  readonly fields: readonly HiddenField[];
  /** The piece at hand, behind what is left of the one before. */
  json: string;
  /** All before this index is done. */
  at: number;
  /** All from here to `at` is shown, unless a member is being hidden. */
  start: number;
  /** Parts of the piece that are shown. */
  shown: string[];
  /** An object with hidden fields and the values around this place in it; empty outside of one. */
  readonly open: OpenValue[];
  /** The object of which a member is being hidden. */
  hiding: OpenValue | undefined;
  /** The paths into the value of the member at hand. */
  inner: readonly Path[];
  isInString: boolean;
  /** True if an object has its tag behind another member. */
  isUnordered: boolean;
}

/** Returns what is shown of the next piece and the ones before; undefined if the JSON is unordered. */
type Redaction = (piece: string, isLast: boolean) => string | undefined;

function createRedaction(hidden: readonly FieldPath[]): Redaction {
  const fields = fieldsOf(hidden);
  // Each step looks no further ahead than this, so that it never needs the next piece.
  const ahead = Math.max(...fields.flatMap(({ tag, path }) => [tag, ...path]).map(lengthOf)) + 1;
  const scan: Scan = {
    ...{ fields, json: "", at: 0, start: 0, shown: [], open: [], hiding: undefined, inner: [] },
    ...{ isInString: false, isUnordered: false },
  };
  return (piece, isLast) => {
    const json = scan.json = scan.json.slice(scan.at) + piece;
    scan.at = scan.start = 0;
    scan.shown = [];
    const end = json.length - (isLast ? 0 : ahead);
    while (scan.at < end && !scan.isUnordered) step(scan, end);
    if (scan.hiding === undefined) scan.shown.push(json.slice(scan.start, scan.at));
    return scan.isUnordered ? undefined : scan.shown.join("");
  };
}

function lengthOf({ length }: string): number {
  return length;
}

function step(scan: Scan, end: number): void {
  if (scan.isInString) skipString(scan);
  else if (scan.open.length === 0) skipToTag(scan, end);
  else stepInside(scan);
}

function skipString(scan: Scan): void {
  const { json } = scan;
  let end = json.indexOf('"', scan.at);
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  scan.isInString = end < 0;
  // A backslash at the end belongs to the character in the next piece.
  scan.at = end >= 0 ? end + 1 : json.length - (isEscaped(json, json.length) ? 1 : 0);
}

function isEscaped(json: string, at: number): boolean {
  let slashes = 0;
  while (json[at - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}

const TAG = '"object":';

/** Goes to the next object with hidden fields. In a string, the quotes of a tag would be escaped. */
function skipToTag(scan: Scan, end: number): void {
  const { json, fields } = scan;
  const tag = json.indexOf(TAG, scan.at);
  if (tag < 0 || tag > end) {
    scan.at = endOfPiece(json, end);
  } else if (!fields.some((field) => json.startsWith(field.tag, tag))) {
    scan.at = tag + TAG.length;
  } else if (json[tag - 1] === "{") {
    scan.at = tag - 1;
    stepInside(scan);
  } else {
    scan.isUnordered = true;
  }
}

function stepInside(scan: Scan): void {
  switch (scan.json[scan.at]) {
    case '"':
      scan.isInString = true;
      break;
    case "{":
      beginObject(scan);
      break;
    case "[":
      scan.open.push(PLAIN);
      scan.inner = [];
      break;
    case ",":
      endMember(scan);
      beginMember(scan);
      break;
    case "}":
      endMember(scan);
      scan.open.pop();
      break;
    case "]":
      scan.open.pop();
  }
  scan.at++;
}

/** A list, or an object without hidden fields. */
const PLAIN: OpenValue = { paths: [], isEmpty: false };

function beginObject(scan: Scan): void {
  const { json, at, fields } = scan;
  const paths = [...scan.inner];
  for (const { tag, path } of fields) {
    if (json.startsWith(tag, at + 1)) paths.push(path);
  }
  const isPlain = paths.length === 0 || scan.hiding !== undefined;
  scan.open.push(isPlain ? PLAIN : { paths, isEmpty: true });
  beginMember(scan);
}

/** Called at the bracket or comma before a member. */
function beginMember(scan: Scan): void {
  const { json, at, fields } = scan;
  const object = scan.open.at(-1);
  const inner: Path[] = scan.inner = [];
  if (object === undefined || scan.hiding !== undefined) return;
  if (json[at] === "," && fields.some(({ tag }) => json.startsWith(tag, at + 1))) {
    scan.isUnordered = true;
  }
  if (object === PLAIN) return;
  for (const path of object.paths) {
    if (!json.startsWith(path[0] ?? "", at + 1)) continue;
    if (path.length === 1) return hideMember(scan, object);
    inner.push(path.slice(1));
  }
  object.isEmpty = false;
}

/** Hides a member and the comma before it, or behind it if no member before it is shown. */
function hideMember(scan: Scan, object: OpenValue): void {
  const { json, start, at } = scan;
  scan.shown.push(json.slice(start, object.isEmpty ? at + 1 : at));
  scan.hiding = object;
}

/** Called at the bracket or comma behind a member. */
function endMember(scan: Scan): void {
  const { json, at, hiding } = scan;
  scan.inner = [];
  if (hiding === undefined || hiding !== scan.open.at(-1)) return;
  scan.hiding = undefined;
  scan.start = json[at] === "," && hiding.isEmpty ? at + 1 : at;
}

/** Cached, because a caller has the same list as long as its token is cached. */
const cache = new WeakMap<readonly FieldPath[], readonly HiddenField[]>();

function fieldsOf(hidden: readonly FieldPath[]): readonly HiddenField[] {
  const cached = cache.get(hidden);
  if (cached !== undefined) return cached;
  const fields = hidden.map(({ object, keys }) => ({
    tag: TAG + JSON.stringify(object),
    path: keys.map((key) => `${JSON.stringify(key)}:`),
  }));
  cache.set(hidden, fields);
  return fields;
}
