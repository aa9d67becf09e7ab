/**
 * Compares decisions with other libraries in the same run, and measures the reviewer's diff.
 *
 * @module
 */
import { diffPolicies } from "../../src/policy/analysis/diff.ts";
import { createEngine } from "../../src/policy/engine.ts";
import { parsePolicy, type Policy, type Rule } from "../../src/policy/schema.ts";
import { nanoseconds, report } from "./measure.ts";
import {
  countDifferences,
  createCasbin,
  createCasl,
  createCedar,
  createOurs,
  createTable,
  type Decider,
  type Table,
} from "./policy_rivals.ts";

type Print = (line: string) => void;

const DECISION_AIM = 20;
const DIFF_AIM = 1;
const LARGE_AIM = 50;

export async function benchPolicy(print: Print): Promise<void> {
  const policy = parsePolicy(await Deno.readTextFile("policy/scopes.json"));
  benchEngine(policy, print);
  await benchRivals(createTable(policy), print);
  benchDiffs(policy, print);
}

function benchEngine(policy: Policy, print: Print): void {
  const engine = createEngine(policy);
  const grant = engine.grant(new Set(policy.scopes.keys()));
  const rules = [...policy.routes.keys()].map((route) => engine.rule(route));
  const value = nanoseconds((i) => rules[i % rules.length]?.decide(grant));
  printDecision("policy decision, all routes, all scopes", value, print);
}

/** Measures the whole table of decisions, in the same order for all libraries. */
async function benchRivals(table: Table, print: Print): Promise<void> {
  const ours = createOurs(table);
  const size = table.routes.length * table.tokens.length;
  const inOrder = Array.from({ length: size }, (_, place) => place);
  printDecision(`policy decision, all ${size} of the table`, timeOf(ours, table, inOrder), print);
  printPlain(
    "the same, in shuffled order",
    timeOf(ours, table, shuffled(size)),
    print,
  );
  for (const rival of [createCasl(table), await createCasbin(table), createCedar(table)]) {
    const differences = countDifferences(table, [ours, rival]);
    if (differences > 0) throw new Error(`${rival.name} differs on ${differences} decisions`);
    printPlain(`${rival.name}, which agrees on all`, timeOf(rival, table, inOrder), print);
  }
}

function timeOf({ decide }: Decider, { routes }: Table, order: readonly number[]): number {
  const route = Uint16Array.from(order, (place) => place % routes.length);
  const token = Uint16Array.from(order, (place) => Math.floor(place / routes.length));
  let i = 0;
  return nanoseconds(() => {
    i = i + 1 < order.length ? i + 1 : 0;
    return decide(route[i] ?? 0, token[i] ?? 0);
  });
}

function printPlain(name: string, value: number, print: Print): void {
  print(`     ${name.padEnd(52)} ${value.toFixed(2).padStart(10)} ns`);
}

function printDecision(name: string, value: number, print: Print): void {
  const met = value < DECISION_AIM;
  print(report(name, { value, unit: "ns", aim: `< ${DECISION_AIM} ns`, met }));
}

function benchDiffs(policy: Policy, print: Print): void {
  const shut = shutEveryThird(policy);
  const own = nanoseconds(() => diffPolicies(policy, shut), 10) / 1e6;
  const changes = diffPolicies(policy, shut).length;
  const name = `policy diff, ${policy.routes.size} routes, ${changes} changed`;
  print(report(name, { value: own, unit: "ms", aim: `< ${DIFF_AIM} ms`, met: own < DIFF_AIM }));
  const large = createLarge({ routes: 2_000, scopes: 120 });
  const other = shutEveryThird(large);
  const value = nanoseconds(() => diffPolicies(large, other), 1) / 1e6;
  const title = `policy diff, 2,000 routes x 120 scopes, ${
    diffPolicies(large, other).length
  } changed`;
  print(report(title, { value, unit: "ms", aim: `< ${LARGE_AIM} ms`, met: value < LARGE_AIM }));
}

/** Returns a policy in which every third rule requires an additional scope. */
function shutEveryThird(policy: Policy): Policy {
  const [first = ""] = policy.scopes.keys();
  const routes = [...policy.routes].map(([name, rule], index): [string, Rule] => [
    name,
    index % 3 > 0 || rule.public ? rule : {
      public: false,
      alternatives: rule.alternatives.map((list) => [...new Set([...list, first])]),
    },
  ]);
  return { ...policy, routes: new Map(routes) };
}

/** Creates a policy of distinct rules, with one to four alternatives of one to three scopes. */
function createLarge(size: { readonly routes: number; readonly scopes: number }): Policy {
  const names = Array.from({ length: size.scopes }, (_, index) => `thing${index}.read`);
  const next = createNumbers();
  const pick = (): string => names[next() % names.length] ?? "";
  const rules = Array.from({ length: size.routes }, (_, index): [string, Rule] => [
    `GET /v2/things/${index}`,
    {
      public: false,
      alternatives: Array.from(
        { length: 1 + next() % 4 },
        () => [...new Set(Array.from({ length: 1 + next() % 3 }, pick))],
      ),
    },
  ]);
  return {
    scopes: new Map(names.map((name) => [name, "…"])),
    routes: new Map(rules),
    fields: new Map(),
  };
}

function shuffled(size: number): number[] {
  const next = createNumbers();
  const list = Array.from({ length: size }, (_, index) => ({ index, key: next() }));
  return list.sort((a, b) => a.key - b.key).map(({ index }) => index);
}

/** Generates the same numbers in every run (linear congruential generator, Numerical Recipes). */
function createNumbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
