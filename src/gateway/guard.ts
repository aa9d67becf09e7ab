/**
 * A policy that is ready to decide: one for each guarded service.
 *
 * @module
 */
import type { Principal } from "../auth/principal.ts";
import { createEngine, type Decision, type Grant } from "../policy/engine.ts";
import { digestOf } from "../policy/digest.ts";
import { createRouteTable } from "../policy/routes/route_table.ts";
import { isSafePath } from "../policy/routes/safe_path.ts";
import type { PolicyFile } from "../policy/schema.ts";

/** A compiled policy; immutable. */
export interface Guard {
  readonly file: PolicyFile;
  /** Name of the guarded service. */
  readonly service: string;
  readonly digest: string;
  /** Returns the rule of a request; undefined if there is none, which refuses everybody. */
  find(method: string, path: string): GuardedRoute | undefined;
}

/** The rule of one route. */
export interface GuardedRoute {
  /** `METHOD /path` as the policy names it. */
  readonly name: string;
  /** The name without characters that the log would have to escape. */
  readonly logged: string;
  readonly isPublic: boolean;
  decide(caller: Principal): Decision;
}

/** Compiles a policy that has been checked. */
export function createGuard(file: PolicyFile): Guard {
  const { policy, service = "recto" } = file;
  const engine = createEngine(policy);
  const table = createRouteTable(policy.routes.keys());
  const grants = new WeakMap<Principal, Grant>();
  const grantOf = (caller: Principal): Grant =>
    grants.getOrInsertComputed(caller, ({ scopes }) => engine.grant(scopes));
  const routes = new Map<string, GuardedRoute>(
    [...policy.routes].map(([name, rule]) => [name, {
      name,
      logged: JSON.stringify(name).slice(1, -1),
      isPublic: rule.public,
      decide: (caller) => engine.decide(name, grantOf(caller)),
    }]),
  );
  return {
    file,
    service,
    digest: digestOf(policy),
    find: (method, path) => {
      if (!isSafePath(path)) return undefined;
      const name = table.find(method, path);
      return name === undefined ? undefined : routes.get(name);
    },
  };
}
