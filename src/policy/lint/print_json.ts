/**
 * JSON as `deno fmt` leaves it: on one line what fits, else a member a line.
 *
 * @module
 */

const WIDTH = 100;

export interface PrintOptions {
  /** Whether a value goes over several lines even where it would fit; it is asked by path. */
  readonly spread: (path: readonly string[]) => boolean;
}

/** Prints a value, with a line end. */
export function printJson(value: unknown, { spread }: PrintOptions): string {
  return `${print(value, { path: [], used: 0, spread })}\n`;
}

interface Place extends PrintOptions {
  readonly path: readonly string[];
  /** Columns of the line that stand beside the value. */
  readonly used: number;
}

function print(value: unknown, place: Place): string {
  const flat = printFlat(value);
  const indent = "  ".repeat(place.path.length);
  const fits = indent.length + place.used + flat.length <= WIDTH;
  const members = membersOf(value);
  if (members.length === 0 || (fits && !place.spread(place.path))) return flat;
  const lines = members.map(([key, member], index) => {
    const name = Array.isArray(value) ? "" : `${JSON.stringify(key)}: `;
    const comma = index < members.length - 1 ? "," : "";
    const used = name.length + comma.length;
    return `${indent}  ${name}${
      print(member, { path: [...place.path, key], used, spread: place.spread })
    }${comma}\n`;
  });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${lines.join("")}${indent}${close}`;
}

function printFlat(value: unknown): string {
  const members = membersOf(value);
  if (Array.isArray(value)) return `[${members.map(([, member]) => printFlat(member)).join(", ")}]`;
  if (members.length === 0) return JSON.stringify(value);
  const texts = members.map(([key, member]) => `${JSON.stringify(key)}: ${printFlat(member)}`);
  return `{ ${texts.join(", ")} }`;
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
