/**
 * A policy decision, with the token's scopes already made ready.
 *
 * @module
 */
import { createEngine } from "../../src/policy/engine.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import { nanoseconds, report } from "./measure.ts";

export async function benchPolicy(print: (line: string) => void): Promise<void> {
  const policy = parsePolicy(await Deno.readTextFile("policy/scopes.json"));
  const engine = createEngine(policy);
  const grant = engine.grant(new Set(policy.scopes.keys()));
  const rules = [...policy.routes.keys()].map((route) => engine.rule(route));
  const value = nanoseconds((i) => rules[i % rules.length]?.decide(grant));
  print(
    report("policy decision, all routes", { value, unit: "ns", aim: "< 50 ns", met: value < 50 }),
  );
}
