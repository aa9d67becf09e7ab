/**
 * The endpoints with the rules of one policy: what the pipeline asks for as long as it is the live one.
 *
 * @module
 */
import type { Principal } from "../auth/principal.ts";
import { type Endpoint, routeName } from "../http/endpoint.ts";
import { type FieldPath, mayHold, parseFieldPath } from "../http/redact.ts";
import type { Access, Route } from "../http/route.ts";
import {
  type CompiledRule,
  createEngine,
  type Decision,
  type Engine,
  type Grant,
} from "../policy/engine.ts";
import type { Policy } from "../policy/schema.ts";

/** Is told of every decision on a call, once, and changes none. Never throws. */
export type Witness = (decision: Decision, caller: Principal) => void;

export interface RouteOptions<S> {
  readonly endpoints: readonly Endpoint<S>[];
  readonly policy: Policy;
  readonly witnesses: readonly Witness[];
}

/** Connects each endpoint with its rule; throws where one side has what the other has not. */
export function createRoutes<S>({ endpoints, policy, witnesses }: RouteOptions<S>): Route<S>[] {
  const guard = createGuard(policy);
  return endpoints.map((endpoint) => toRoute(endpoint, { guard, witnesses }));
}

/** A policy as routes ask it. */
interface Guard {
  readonly engine: Engine;
  /** Every field that a rule guards. */
  readonly fields: readonly FieldPath[];
  hold(caller: Principal): Held;
}

/** A caller's scopes, turned into bits once for each token and not once for each request. */
interface Held {
  readonly grant: Grant;
  readonly hidden: readonly FieldPath[];
}

function createGuard(policy: Policy): Guard {
  const engine = createEngine(policy);
  const known = new WeakMap<Principal, Held>();
  return {
    engine,
    fields: [...policy.fields.keys()].map(parseFieldPath),
    hold(caller) {
      const held = known.get(caller);
      if (held !== undefined) return held;
      const made = holdOf(engine, caller);
      known.set(caller, made);
      return made;
    },
  };
}

function holdOf(engine: Engine, { scopes }: Principal): Held {
  const grant = engine.grant(scopes);
  return { grant, hidden: grant.hiddenFields.map(parseFieldPath) };
}

const OPERATIONAL: Access = {
  decision: { effect: "allow", route: "", public: true, required: [], missing: [] },
  hidden: [],
};

/** An endpoint without a rule needs none because it stands outside `/v2`. */
function toRoute<S>(
  endpoint: Endpoint<S>,
  { guard, witnesses }: { readonly guard: Guard; readonly witnesses: readonly Witness[] },
): Route<S> {
  const { method, path, operational = false } = endpoint;
  const rule = guard.engine.rule(routeName(endpoint));
  if (operational === path.startsWith("/v2/") || operational === (rule !== undefined)) {
    throw new Error(`Endpoint and policy disagree: ${routeName(endpoint)}`);
  }
  return {
    method,
    path,
    endpoint,
    isPublic: rule === undefined || rule.public,
    holdsGuarded: mayHold(endpoint.response, guard.fields),
    access: rule === undefined ? () => OPERATIONAL : watched(accessBy(rule, guard), witnesses),
  };
}

function accessBy(rule: CompiledRule, guard: Guard): Route<unknown>["access"] {
  return (caller) => {
    const { grant, hidden } = guard.hold(caller);
    return { decision: rule.decide(grant), hidden };
  };
}

/** Where nobody looks on, the very same function: the way of a request pays for no empty list. */
function watched(
  access: Route<unknown>["access"],
  witnesses: readonly Witness[],
): Route<unknown>["access"] {
  if (witnesses.length === 0) return access;
  return (caller) => {
    const result = access(caller);
    for (const witness of witnesses) witness(result.decision, caller);
    return result;
  };
}
