/**
 * Conditions on times in the filter of a search: `and` of a condition on `object` and one on a time.
 * The vendor does not document them; activepieces' piece, which speaks 2022-02-22, sends them.
 *
 * @module
 */
import { isJson, objectsIn } from "./json.ts";
import type { Json } from "./step.ts";

const TIMESTAMPS = ["created_time", "last_edited_time"];

/** By operator: whether a time meets a condition; both in milliseconds. */
const OPERATORS: Readonly<Record<string, (time: number, limit: number) => boolean>> = {
  after: (time, limit) => time > limit,
  on_or_after: (time, limit) => time >= limit,
  before: (time, limit) => time < limit,
  on_or_before: (time, limit) => time <= limit,
};

/** Returns the body of a search without conditions on times that {@linkcode meetTimes} checks. */
export function withoutTimes(body: Json): Json {
  const { filter, ...rest } = body;
  if (!isJson(filter) || !Array.isArray(filter["and"])) return body;
  const and = filter["and"].filter((condition) => !isTime(condition));
  return and.length === 0 ? rest : { ...rest, filter: { ...filter, and } };
}

/** Returns the results that meet all conditions on times in the body of a search. */
export function meetTimes(results: unknown, body: unknown): unknown {
  const filter = isJson(body) ? body["filter"] : undefined;
  const times = isJson(filter) ? objectsIn(filter["and"]).filter(isTime) : [];
  if (times.length === 0) return results;
  return objectsIn(results).filter((result) => times.every((time) => isMet(time, result)));
}

function isTime(condition: unknown): boolean {
  if (!isJson(condition) || !TIMESTAMPS.includes(String(condition["timestamp"]))) return false;
  const operators = operatorsOf(condition);
  return operators.length > 0 && operators.every(
    ([operator, limit]) => Object.hasOwn(OPERATORS, operator) && !Number.isNaN(timeOf(limit)),
  );
}

function operatorsOf(condition: Json): [operator: string, limit: unknown][] {
  const operators = condition[String(condition["timestamp"])];
  return isJson(operators) ? Object.entries(operators) : [];
}

/** Accepts numbers of milliseconds, too. */
function timeOf(limit: unknown): number {
  return typeof limit === "number" ? limit : Date.parse(String(limit));
}

function isMet(condition: Json, result: Json): boolean {
  const time = timeOf(result[String(condition["timestamp"])]);
  return operatorsOf(condition)
    .every(([operator, limit]) => OPERATORS[operator]?.(time, timeOf(limit)));
}
