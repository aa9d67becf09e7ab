/**
 * Reports how much of a decision log could be read.
 *
 * @module
 */
import type { DecisionLogStats } from "../analysis/decisions.ts";
import { count } from "./text.ts";

const SHOWN = 5;

/** Returns the number of decisions, and the unreadable lines, which the result does not include. */
export function describeStats({ decisions, unreadable }: DecisionLogStats): string {
  const read = `${count(decisions, "decision")} read\n`;
  if (unreadable.length === 0) return read;
  const shown = unreadable.slice(0, SHOWN).join(", ");
  const more = unreadable.length > SHOWN ? ", …" : "";
  return `${read}${count(unreadable.length, "line")} could not be read: ${shown}${more}\n`;
}
