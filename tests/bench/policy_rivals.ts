/**
 * The same policy for other libraries, each prepared as far as possible before it decides.
 *
 * @module
 */
import { preparsePolicySet, statefulIsAuthorized } from "@cedar-policy/cedar-wasm/nodejs";
import { AbilityBuilder, createMongoAbility, subject } from "@casl/ability";
import { newEnforcer, newModelFromString } from "casbin";
import { createEngine } from "../../src/policy/engine.ts";
import type { Policy } from "../../src/policy/schema.ts";

/** Decides a call by the indexes of its route and its token. */
export interface Decider {
  readonly name: string;
  decide(route: number, token: number): boolean;
}

export interface Table {
  readonly policy: Policy;
  readonly routes: readonly string[];
  /** The scopes of each token. */
  readonly tokens: readonly (readonly string[])[];
}

/** Returns every possible token of a policy, and every route. */
export function createTable(policy: Policy): Table {
  const scopes = [...policy.scopes.keys()];
  const tokens = Array.from(
    { length: 1 << scopes.length },
    (_, index) => scopes.filter((_, place) => (index >> place) & 1),
  );
  return { policy, routes: [...policy.routes.keys()], tokens };
}

export function createOurs({ policy, routes, tokens }: Table): Decider {
  const engine = createEngine(policy);
  const grants = tokens.map((scopes) => engine.grant(new Set(scopes)));
  const rules = routes.map((route) => engine.rule(route));
  return {
    name: "recto",
    decide(route, token) {
      const grant = grants[token];
      return grant !== undefined && rules[route]?.decide(grant).effect === "allow";
    },
  };
}

/** Uses one ability: routes are actions, and scopes are conditions on the token. */
export function createCasl({ policy, routes, tokens }: Table): Decider {
  const builder = new AbilityBuilder(createMongoAbility);
  for (const [route, rule] of policy.routes) {
    if (rule.public) builder.can(route, "Token");
    for (const scopes of rule.alternatives) {
      builder.can(route, "Token", { scopes: { $all: [...scopes] } });
    }
  }
  const ability = builder.build();
  const subjects = tokens.map((scopes) => subject("Token", { scopes }));
  return {
    name: "@casl/ability",
    decide: (route, token) => ability.can(routes[route] ?? "", subjects[token] ?? "Token"),
  };
}

const CASBIN_MODEL = `
[request_definition]
r = token, route
[policy_definition]
p = route, scopes
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.route == p.route && holds(r.token, p.scopes)
`;

/** Uses a line for each alternative, with its scopes as one word. */
export async function createCasbin({ policy, routes, tokens }: Table): Promise<Decider> {
  const enforcer = await newEnforcer(newModelFromString(CASBIN_MODEL));
  for (const [route, { alternatives, ...rule }] of policy.routes) {
    for (const scopes of rule.public ? [[]] : alternatives) {
      await enforcer.addPolicy(route, scopes.join(" "));
    }
  }
  const held = tokens.map((scopes) => new Set(scopes));
  enforcer.addFunction(
    "holds",
    (token: ReadonlySet<string>, scopes: string) =>
      scopes === "" || scopes.split(" ").every((scope) => token.has(scope)),
  );
  return {
    name: "casbin",
    decide: (route, token) => enforcer.enforceSync(held[token], routes[route]),
  };
}

/** Uses a permit for each alternative, parsed once; the token's scopes are the context. */
export function createCedar({ policy, routes, tokens }: Table): Decider {
  const permits = [...policy.routes].flatMap(([route, { alternatives, ...rule }]) =>
    (rule.public ? [[]] : alternatives).map((scopes) =>
      `permit (principal, action == Action::${
        JSON.stringify(route)
      }, resource) when { context.scopes.containsAll(${JSON.stringify(scopes)}) };`
    )
  );
  preparsePolicySet("routes", { staticPolicies: permits.join("\n") });
  const contexts = tokens.map((scopes) => ({ scopes: [...scopes] }));
  return {
    name: "@cedar-policy/cedar-wasm",
    decide(route, token) {
      const answer = statefulIsAuthorized({
        principal: { type: "Token", id: "token" },
        action: { type: "Action", id: routes[route] ?? "" },
        resource: { type: "Api", id: "api" },
        context: contexts[token] ?? {},
        preparsedPolicySetId: "routes",
        entities: [],
      });
      return answer.type === "success" && answer.response.decision === "allow";
    },
  };
}

/** Counts how often two deciders differ over the whole table. */
export function countDifferences({ routes, tokens }: Table, [a, b]: [Decider, Decider]): number {
  let differences = 0;
  for (let token = 0; token < tokens.length; token++) {
    for (let route = 0; route < routes.length; route++) {
      if (a.decide(route, token) !== b.decide(route, token)) differences++;
    }
  }
  return differences;
}
