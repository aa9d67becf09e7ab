/**
 * The endpoints with the rules of one policy, which the request handler uses while it is active.
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
import { lazy } from "../shared/lazy.ts";

/** Called once with every decision on a call, which it does not affect. Never throws. */
export type DecisionObserver = (
  decision: Decision,
  caller: Principal,
  requestId: string,
) => void;

export interface RouteOptions<S> {
  readonly endpoints: readonly Endpoint<S>[];
  readonly policy: Policy;
  readonly observers: readonly DecisionObserver[];
}

/** Connects each endpoint with its rule; throws if the endpoints and the rules differ. */
export function createRoutes<S>({ endpoints, policy, observers }: RouteOptions<S>): Route<S>[] {
  const guard = createGuard(policy);
  return endpoints.map((endpoint) => toRoute(endpoint, { guard, observers }));
}

/** The compiled policy. */
interface Guard {
  readonly engine: Engine;
  /** Every field that a rule guards. */
  readonly fields: readonly FieldPath[];
  grantFor(caller: Principal): CallerGrant;
}

/** The access that a policy grants a caller, computed once per token. */
interface CallerGrant {
  readonly grant: Grant;
  readonly hidden: readonly FieldPath[];
}

function createGuard(policy: Policy): Guard {
  const engine = createEngine(policy);
  const cache = new WeakMap<Principal, CallerGrant>();
  return {
    engine,
    fields: [...policy.fields.keys(), ...USER_DETAILS].map(parseFieldPath),
    grantFor(caller) {
      const cached = cache.get(caller);
      if (cached !== undefined) return cached;
      const grant = createGrant(engine, caller);
      cache.set(caller, grant);
      return grant;
    },
  };
}

function createGrant(engine: Engine, { scopes }: Principal): CallerGrant {
  const grant = engine.grant(scopes);
  const readsUsers = engine.decide(READ_USER, grant).effect === "allow";
  const hidden = readsUsers ? grant.hiddenFields : [...USER_DETAILS, ...grant.hiddenFields];
  return { grant, hidden: hidden.map(parseFieldPath) };
}

/** Who may not read users sees their ids alone, wherever content refers to them. */
const READ_USER = "GET /v2/users/:user_id";
const USER_DETAILS = ["type", "name", "avatar_url", "person", "bot"]
  .map((member) => `user.${member}`);

const OPERATIONAL: Access = {
  decision: { effect: "allow", route: "", public: true, required: [], missing: [] },
  hidden: [],
};

const API = /^\/v[12]\//;

/** Only operational endpoints, which are outside the API, have no rule. */
function toRoute<S>(
  endpoint: Endpoint<S>,
  { guard, observers }: { readonly guard: Guard; readonly observers: readonly DecisionObserver[] },
): Route<S> {
  const { method, path, operational = false } = endpoint;
  const name = routeName(endpoint);
  const rule = guard.engine.rule(name);
  if (operational === API.test(path) || operational === (rule !== undefined)) {
    throw new Error(`Endpoint and policy disagree: ${name}`);
  }
  return {
    method,
    path,
    endpoint,
    isPublic: rule === undefined || rule.public,
    holdsGuarded: lazy(() => mayHold(endpoint.response, guard.fields)),
    access: rule === undefined ? () => OPERATIONAL : observed(accessBy(rule, guard), observers),
  };
}

function accessBy(rule: CompiledRule, guard: Guard): Route<unknown>["access"] {
  return (caller) => {
    const { grant, hidden } = guard.grantFor(caller);
    return { decision: rule.decide(grant), hidden };
  };
}

/** Returns `access` itself if there are no observers. */
function observed(
  access: Route<unknown>["access"],
  observers: readonly DecisionObserver[],
): Route<unknown>["access"] {
  if (observers.length === 0) return access;
  return (caller, requestId) => {
    const result = access(caller, requestId);
    for (const observe of observers) observe(result.decision, caller, requestId);
    return result;
  };
}
