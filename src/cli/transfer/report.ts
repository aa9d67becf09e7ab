/**
 * The report at the end of an export or import: counts, and what could not be carried, and where.
 *
 * @module
 */
import type { CommandResult } from "../command.ts";

export interface Report {
  /** Counts what was carried, such as `pages`. */
  count(what: string, count?: number): void;
  /** Records what was not carried. The work is incomplete: the exit code is 1. */
  omit(where: string, reason: string): void;
  /** Records what the documentation says is carried in another form. The exit code stays 0. */
  alter(where: string, reason: string): void;
  /** Returns how often something was counted. */
  counted(what: string): number;
  /** Returns everything that was omitted, as `where: reason`. */
  omissions(): readonly string[];
  /** Returns everything that was altered, as `where: reason`. */
  alterations(): readonly string[];
  /** Returns the report and the exit code. */
  conclude(title: string): CommandResult;
}

/** The order in which counts are shown, whatever was counted first; others follow. */
const ORDER = ["pages", "databases", "rows", "blocks", "comments", "links", "pictures", "files"];

/** Places shown of each alteration; omissions are all shown. */
const SHOWN = 5;

/** Creates an empty report. */
export function createReport(): Report {
  const counts = new Map<string, number>();
  const omitted = new Map<string, string[]>();
  const altered = new Map<string, string[]>();
  return {
    count: (what, count = 1) => void counts.set(what, (counts.get(what) ?? 0) + count),
    omit: (where, reason) => add(omitted, where, reason),
    alter: (where, reason) => add(altered, where, reason),
    counted: (what) => counts.get(what) ?? 0,
    omissions: () => sentences(omitted),
    alterations: () => sentences(altered),
    conclude(title) {
      const lines = [
        `${title}: ${countsText(counts)}`,
        ...section("Carried in another form (docs/transfer.md):", altered, SHOWN),
        ...section("NOT carried:", omitted, Infinity),
        omitted.size === 0 ? "Complete." : "Incomplete: see above.",
      ];
      return { code: omitted.size === 0 ? 0 : 1, stdout: `${lines.join("\n")}\n`, stderr: "" };
    },
  };
}

function add(places: Map<string, string[]>, where: string, reason: string): void {
  const known = places.get(reason);
  if (known === undefined) places.set(reason, [where]);
  else known.push(where);
}

function sentences(places: ReadonlyMap<string, readonly string[]>): string[] {
  return [...places].flatMap(([reason, all]) => all.map((where) => `${where}: ${reason}`));
}

/** Returns a count with the name of what is counted, given in the plural with `s`. */
export function countText(count: number, plural: string): string {
  return `${count} ${count === 1 ? plural.replace(/s$/, "") : plural}`;
}

function countsText(counts: ReadonlyMap<string, number>): string {
  const known = ORDER.flatMap((what) => {
    const count = counts.get(what);
    return count === undefined ? [] : [[what, count] as const];
  });
  const others = [...counts].filter(([what]) => !ORDER.includes(what));
  return [...known, ...others].map(([what, count]) => countText(count, what)).join(", ") ||
    "nothing";
}

function section(
  heading: string,
  places: ReadonlyMap<string, readonly string[]>,
  limit: number,
): string[] {
  if (places.size === 0) return [];
  const entries = [...places].flatMap(([reason, all]) => [
    `  ${reason} (${all.length})`,
    ...all.slice(0, limit).map((where) => `    ${where}`),
    ...(all.length > limit ? [`    and ${all.length - limit} more`] : []),
  ]);
  return [heading, ...entries];
}
