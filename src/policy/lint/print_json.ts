/**
 * Prints JSON in the format of `deno fmt`: on one line if it fits, otherwise one member per line.
 *
 * @module
 */

const WIDTH = 100;

export interface PrintOptions {
  /** Returns whether the value at a path takes several lines even if it would fit on one. */
  readonly spread: (path: readonly string[]) => boolean;
}

/** Prints a value and a line break. */
export function printJson(value: unknown, { spread }: PrintOptions): string {
  return `${print(value, { path: [], used: 0, spread })}\n`;
}

interface PrintContext extends PrintOptions {
  readonly path: readonly string[];
  /** Columns that the member's name and the comma take. */
  readonly used: number;
}

function print(value: unknown, { path, used, spread }: PrintContext): string {
  const flat = printFlat(value);
  const indent = "  ".repeat(path.length);
  const fits = indent.length + used + flat.length <= WIDTH;
  const members = membersOf(value);
  if (members.length === 0 || (fits && !spread(path))) return flat;
  const lines = members.map(([key, member], index) => {
    const name = Array.isArray(value) ? "" : `${JSON.stringify(key)}: `;
    const comma = index < members.length - 1 ? "," : "";
    const used = name.length + comma.length;
    return `${indent}  ${name}${print(member, { path: [...path, key], used, spread })}${comma}\n`;
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
