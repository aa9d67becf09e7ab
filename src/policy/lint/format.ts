/**
 * Formats a policy file.
 *
 * @module
 */
import { printJson } from "./print_json.ts";
import {
  hasOwnRule,
  METHODS,
  parsePolicyFile,
  type Policy,
  type PolicyFile,
  type Rule,
} from "../schema.ts";

const SCHEMA = "./scopes.schema.json";

/**
 * Returns a policy in its canonical form. Scopes keep the author's order; routes are sorted by path and
 * method, fields by name, the scopes of a rule in the order of their declaration, and shorter
 * alternatives first. Redundant parts stay: `check` reports them, because they may be mistakes. Throws
 * `PolicyError`.
 */
export function formatPolicy(text: string): string {
  const file = parsePolicyFile(text);
  const { policy, notes, invariants } = file;
  const value = {
    // The editor's schema knows the scopes and routes of Recto alone.
    ...(file.service === undefined ? { $schema: SCHEMA } : { service: file.service }),
    scopes: Object.fromEntries(policy.scopes),
    routes: toTable(file, { table: "routes", compare: compareRoutes }),
    fields: toTable(file, { table: "fields", compare: compareTexts }),
    ...aliasTable(policy),
    ...safeList(file),
    ...(notes.size === 0 ? {} : { notes: Object.fromEntries(notes) }),
    ...(invariants.length === 0 ? {} : { invariants }),
  };
  return printJson(value, {
    spread: (path) => path.length < 2 || (path.length === 2 && path[0] === "invariants"),
  });
}

/** Orders routes by path, then by method; a literal segment comes before a parameter. */
export function compareRoutes(a: string, b: string): number {
  const [methodA = "", pathA = ""] = a.split(" ");
  const [methodB = "", pathB = ""] = b.split(" ");
  return comparePaths(pathA, pathB) || rankOf(methodA) - rankOf(methodB) ||
    compareTexts(methodA, methodB);
}

function rankOf(method: string): number {
  return METHODS.findIndex((one) => one === method);
}

function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  const index = left.findIndex((segment, at) => segment !== right[at]);
  if (index < 0) return left.length - right.length;
  const [one, other] = [left[index] ?? "", right[index]];
  if (other === undefined) return 1;
  return Number(one.startsWith(":")) - Number(other.startsWith(":")) || compareTexts(one, other);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

interface TableOptions {
  readonly table: "routes" | "fields";
  readonly compare: (a: string, b: string) => number;
}

function toTable(
  { policy }: PolicyFile,
  { table, compare }: TableOptions,
): Record<string, unknown> {
  const order = new Map([...policy.scopes.keys()].map((scope, index) => [scope, index]));
  const rules = [...policy[table]].filter(([name]) => hasOwnRule(policy, name)).sort(([a], [b]) =>
    compare(a, b)
  );
  return Object.fromEntries(rules.map(([name, rule]) => [name, toJson(rule, order)]));
}

function safeList({ policy, safe }: PolicyFile): Record<string, unknown> {
  const own = [...safe].filter((route) => hasOwnRule(policy, route));
  return own.length === 0 ? {} : { safe: own.sort(compareRoutes) };
}

function aliasTable({ aliases = new Map() }: Policy): Record<string, unknown> {
  if (aliases.size === 0) return {};
  const rows = [...aliases].sort(([a], [b]) => compareRoutes(a, b));
  const toValue = ([name, targets]: readonly [string, readonly string[]]) =>
    [name, targets.length === 1 ? targets[0] : [...targets].sort(compareRoutes)] as const;
  return { aliases: Object.fromEntries(rows.map(toValue)) };
}

function toJson(rule: Rule, order: ReadonlyMap<string, number>): unknown {
  if (rule.public) return "public";
  const rank = (scope: string): number => order.get(scope) ?? order.size;
  const lists = rule.alternatives
    .map((list) => [...list].sort((a, b) => rank(a) - rank(b)))
    .sort((a, b) => a.length - b.length || compareRanks(a.map(rank), b.map(rank)));
  return lists.length === 1 ? lists[0] : { anyOf: lists };
}

/** Orders lists of numbers that have the same length. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((rank, at) => rank !== b[at]);
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}
