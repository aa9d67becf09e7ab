/**
 * The one way to write a policy down.
 *
 * @module
 */
import { printJson } from "./print_json.ts";
import { parsePolicyFile, type PolicyFile, type Rule } from "../schema.ts";

const METHODS: readonly string[] = ["GET", "POST", "PATCH", "DELETE"];
const SCHEMA = "./scopes.schema.json";

/**
 * The text of a policy in its canonical form. Scopes stay in their order, which is the author's;
 * routes stand by path and method, fields by name, and a rule's scopes as they are declared, shorter
 * alternatives first. Nothing is taken out: what changes nothing is for `check` to find, since more
 * may have been meant. Throws `PolicyError`.
 */
export function formatPolicy(text: string): string {
  const file = parsePolicyFile(text);
  const { policy, safe, invariants } = file;
  const value = {
    $schema: SCHEMA,
    scopes: Object.fromEntries(policy.scopes),
    routes: toTable(file, { table: "routes", compare: compareRoutes }),
    fields: toTable(file, { table: "fields", compare: compareTexts }),
    ...(safe.size === 0 ? {} : { safe: [...safe].sort(compareRoutes) }),
    ...(invariants.length === 0 ? {} : { invariants }),
  };
  return printJson(value, {
    spread: (path) => path.length < 2 || (path.length === 2 && path[0] === "invariants"),
  });
}

/** Orders routes by path, then by method; a literal segment stands before a named one. */
export function compareRoutes(a: string, b: string): number {
  const [methodA = "", pathA = ""] = a.split(" ");
  const [methodB = "", pathB = ""] = b.split(" ");
  return comparePaths(pathA, pathB) || METHODS.indexOf(methodA) - METHODS.indexOf(methodB);
}

function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  const index = left.findIndex((segment, place) => segment !== right[place]);
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
  const rows = [...policy[table]].sort(([a], [b]) => compare(a, b));
  return Object.fromEntries(rows.map(([name, rule]) => [name, toRule(rule, order)]));
}

function toRule(rule: Rule, order: ReadonlyMap<string, number>): unknown {
  if (rule.public) return "public";
  const rank = (scope: string): number => order.get(scope) ?? order.size;
  const lists = rule.alternatives
    .map((list) => [...list].sort((a, b) => rank(a) - rank(b)))
    .sort((a, b) => a.length - b.length || compareRanks(a.map(rank), b.map(rank)));
  return lists.length === 1 ? lists[0] : { anyOf: lists };
}

/** Orders lists of numbers of one length. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((rank, place) => rank !== b[place]);
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}
