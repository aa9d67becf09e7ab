import fc from "fast-check";
import {
  type ClientEffect,
  clientEffects,
  groupByClient,
} from "../../src/policy/analysis/client_effects.ts";
import type { LoggedDecision } from "../../src/policy/analysis/decisions.ts";
import { diffPolicies } from "../../src/policy/analysis/diff.ts";
import { createTraffic, sumUsage } from "../../src/policy/analysis/traffic.ts";
import type { Policy } from "../../src/policy/schema.ts";
import { assert, assertEquals } from "../assert.ts";
import { logs } from "./logged.ts";
import { FIELDS, fulfils, ROUTES, sees, smallPolicies } from "./small.ts";

/** Logs in which some tokens name a client, and the rest only a user. */
const clientLogs: fc.Arbitrary<LoggedDecision[]> = fc.tuple(
  logs,
  fc.infiniteStream(fc.constantFrom("crm", "etl", null)),
).map(([log, names]) =>
  log.map((one) => ({ ...one, client: one.subject === null ? null : names.next().value ?? null }))
);

function effectsOf(
  before: Policy,
  after: Policy,
  log: readonly LoggedDecision[],
  routesShowing: (field: string) => ReadonlySet<string> | undefined = () => undefined,
): ClientEffect[] {
  const traffic = createTraffic();
  for (const decision of log) traffic.add(decision);
  const changes = diffPolicies(before, after);
  return clientEffects({ before, after, changes, tokens: traffic.tokens(), routesShowing });
}

const nameOf = ({ client, subject }: Pick<LoggedDecision, "client" | "subject">): string =>
  JSON.stringify(client ?? subject ?? "nobody");

/** The same by reading the log line by line: `[who, what, effect, calls, last, all]`. */
function readLineByLine(before: Policy, after: Policy, log: readonly LoggedDecision[]): unknown[] {
  const callers = [...new Set(log.map(nameOf))];
  return [...ROUTES, ...FIELDS].flatMap((name) =>
    (["gain", "loss"] as const).flatMap((effect) => {
      const isCall = ROUTES.includes(name);
      const can = (policy: Policy, held: ReadonlySet<string>) =>
        isCall ? fulfils(policy.routes.get(name), held) : sees(policy, name, held);
      return callers.flatMap((caller) => {
        const own = log.filter((one) => nameOf(one) === caller);
        const affected = own.filter((one) => {
          const held = new Set(one.scopes);
          const [old, fresh] = [can(before, held), can(after, held)];
          return (isCall || one.subject !== null) &&
            (effect === "gain" ? fresh && !old : old && !fresh);
        });
        if (affected.length === 0) return [];
        const calls = affected.filter((one) =>
          isCall ? one.route === name : one.effect === "allow"
        );
        const last = calls.map(({ time }) => time).sort().at(-1) ?? "";
        return [[caller, name, effect, calls.length, last, own.length]];
      });
    })
  );
}

const inOrder = (rows: readonly unknown[]): string[] =>
  rows.map((row) => JSON.stringify(row)).sort();

Deno.test("clientEffects() agrees with reading the log line by line, for random policies and logs", () => {
  fc.assert(
    fc.property(smallPolicies, smallPolicies, clientLogs, (before, after, log) => {
      const found = effectsOf(before, after, log)
        .map((one) => [nameOf(one), one.name, one.effect, one.calls, one.last, one.all.calls]);
      assertEquals(inOrder(found), inOrder(readLineByLine(before, after, log)));
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("the sets of an effect are those of the change that a token of the client contains", () => {
  fc.assert(
    fc.property(smallPolicies, smallPolicies, clientLogs, (before, after, log) => {
      const changes = diffPolicies(before, after);
      for (const one of effectsOf(before, after, log)) {
        const change = changes.find(({ name }) => name === one.name);
        const all = one.effect === "gain" ? change?.gains : change?.losses;
        const own = log.filter((logged) => nameOf(logged) === nameOf(one));
        assert(one.sets.length > 0);
        for (const set of one.sets) {
          assert(all?.some((other) => other.join() === set.join()));
          assert(own.some(({ scopes }) => new Set(set).isSubsetOf(new Set(scopes))));
        }
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("groupByClient() keeps every effect, and puts who loses most calls first", () => {
  fc.assert(
    fc.property(smallPolicies, smallPolicies, clientLogs, (before, after, log) => {
      const effects = effectsOf(before, after, log);
      const groups = groupByClient(effects);
      assertEquals(groups.flatMap(([, own]) => own).length, effects.length);
      assertEquals(new Set(groups.map(([client]) => nameOf(client))).size, groups.length);
      const losses = groups.map(([, own]) =>
        sumUsage(own.filter(({ effect }) => effect === "loss")).calls
      );
      assertEquals(losses, [...losses].sort((a, b) => b - a));
    }),
    { numRuns: 300 },
  );
});

Deno.test("calls that cannot show a field do not count for it", () => {
  const rule = (scope: string) => ({ public: false, alternatives: [[scope]] });
  const policyWith = (scope: string): Policy => ({
    scopes: new Map([["a.read", "Read."], ["b.read", "Read."]]),
    routes: new Map([["GET /v2/a/:id", rule("a.read")], ["GET /v2/c", rule("a.read")]]),
    fields: new Map([["thing.secret", rule(scope)]]),
  });
  const line = (route: string): LoggedDecision => ({
    time: "2026-01-02T03:04:05.678Z",
    effect: "allow",
    client: "crm",
    subject: "1",
    route,
    scopes: ["a.read"],
  });
  const log = [line("GET /v2/a/:id"), line("GET /v2/c"), line("GET /v2/c")];
  const [before, after] = [policyWith("b.read"), policyWith("a.read")];
  const callsOf = (routes?: ReadonlySet<string>) =>
    effectsOf(before, after, log, () => routes).map(({ calls, all }) => [calls, all.calls]);
  assertEquals(callsOf(), [[3, 3]]);
  assertEquals(callsOf(new Set(["GET /v2/a/:id"])), [[1, 3]]);
  assertEquals(callsOf(new Set()), [[0, 3]]);
});

Deno.test("calls of an alias count for the route that decides it", () => {
  const policyWith = (scope: string): Policy => ({
    scopes: new Map([["a.read", "Read."], ["b.read", "Read."]]),
    routes: new Map([
      ["GET /v2/a/:id", { public: false, alternatives: [[scope]] }],
      ["GET /v1/a/:id", { public: false, alternatives: [[scope]] }],
    ]),
    fields: new Map(),
    aliases: new Map([["GET /v1/a/:id", ["GET /v2/a/:id"]]]),
  });
  const line = (route: string): LoggedDecision => ({
    time: "2026-01-02T03:04:05.678Z",
    effect: "allow",
    client: "crm",
    subject: "1",
    route,
    scopes: ["a.read"],
  });
  const log = [line("GET /v2/a/:id"), line("GET /v1/a/:id")];
  assertEquals(
    effectsOf(policyWith("a.read"), policyWith("b.read"), log)
      .map(({ name, effect, calls }) => [name, effect, calls]),
    [["GET /v2/a/:id", "loss", 2]],
  );
});
