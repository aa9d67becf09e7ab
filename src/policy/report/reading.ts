/**
 * How a decision log was read, in words.
 *
 * @module
 */
import type { DecisionLogReading } from "../analysis/decisions.ts";
import { count } from "./text.ts";

const SHOWN = 5;

/** How many decisions were read; which lines were none, because an answer without them is not whole. */
export function describeReading({ decisions, unreadable }: DecisionLogReading): string {
  const read = `${count(decisions, "decision")} read\n`;
  if (unreadable.length === 0) return read;
  const shown = unreadable.slice(0, SHOWN).join(", ");
  const more = unreadable.length > SHOWN ? ", …" : "";
  return `${read}${count(unreadable.length, "line")} could not be read: ${shown}${more}\n`;
}
