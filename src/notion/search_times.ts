/**
 * Conditions on times in the filter of a search: `and` of a condition on `object` and one on a time.
 * The vendor does not document them; activepieces' piece, which speaks 2022-02-22, sends them.
 *
 * @module
 */
import { LIMITS } from "../content/values/limits.ts";
import { validationError } from "../shared/errors.ts";
import { bodyIssue } from "../shared/validation_issue.ts";
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

/**
 * Returns the body of a search without conditions on times that {@linkcode meetTimes} checks. Throws
 * `validation_error` if it has more conditions than a filter may have in a list.
 */
export function withoutTimes(body: Json): Json {
  const { filter, ...rest } = body;
  if (!isJson(filter) || !Array.isArray(filter["and"])) return body;
  requireFew(filter["and"]);
  const and = filter["and"].filter((condition) => !isTime(condition));
  return and.length === 0 ? rest : { ...rest, filter: { ...filter, and } };
}

// Here, because the schema counts only what is left of them.
function requireFew(conditions: readonly unknown[]): void {
  if (conditions.length <= LIMITS.filterArray) return;
  const expected = `of length ≤ \`${LIMITS.filterArray}\``;
  const received = conditions.slice(0, LIMITS.filterArray);
  throw validationError([bodyIssue("/filter/and", { expected, received })]);
}

/** Returns the results that meet all conditions on times in the body of a search. */
export function meetTimes(results: unknown, body: unknown): unknown {
  const filter = isJson(body) ? body["filter"] : undefined;
  const conditions = isJson(filter) ? objectsIn(filter["and"]).filter(isTime) : [];
  if (conditions.length === 0) return results;
  const limits = limitsOf(conditions);
  return objectsIn(results).filter((result) => limits.every((limit) => isMet(limit, result)));
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

/** A limit of a time, in milliseconds. */
interface TimeLimit {
  readonly timestamp: string;
  readonly operator: string;
  readonly limit: number;
}

/** Returns one limit for each timestamp and operator, the strictest, so that each result meets few. */
function limitsOf(conditions: readonly Json[]): TimeLimit[] {
  const limits = new Map<string, TimeLimit>();
  for (const condition of conditions) {
    const timestamp = String(condition["timestamp"]);
    for (const [operator, sent] of operatorsOf(condition)) {
      const limit = timeOf(sent);
      const key = `${timestamp} ${operator}`;
      const known = limits.get(key)?.limit ?? limit;
      // A limit that itself meets another is the stricter of the two.
      const isStricter = OPERATORS[operator]?.(limit, known) ?? false;
      limits.set(key, { timestamp, operator, limit: isStricter ? limit : known });
    }
  }
  return [...limits.values()];
}

function isMet({ timestamp, operator, limit }: TimeLimit, result: Json): boolean {
  return OPERATORS[operator]?.(timeOf(result[timestamp]), limit) ?? false;
}
