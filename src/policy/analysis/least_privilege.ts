/**
 * Which scopes each client of a decision log does not need.
 *
 * @module
 */
import type { Policy } from "../schema.ts";
import { scopesIn } from "../../shared/acr.ts";
import { type Caller, callerKey, callerOf, type LoggedDecision } from "./decisions.ts";
import { ALWAYS, both, type Formula, isSatisfied, NEVER } from "./formula.ts";
import { normalize, type NormalPolicy } from "./normal.ts";

/** The scopes that the allowed calls of one client needed. */
export interface ClientNeeds extends Caller {
  readonly calls: number;
  readonly first: string;
  readonly last: string;
  /** The scopes of its tokens, in alphabetical order. */
  readonly held: readonly string[];
  /** The smallest subsets of `held` that allow every call it made. */
  readonly needed: readonly (readonly string[])[];
  /** Scopes in none of these sets that do not affect any response either. */
  readonly unneeded: readonly string[];
  /** Scopes in none of these sets that make responses show a guarded field. */
  readonly showing: readonly { readonly scope: string; readonly fields: readonly string[] }[];
  /** Calls that it made and that the policy would refuse now. */
  readonly refused: readonly string[];
}

export interface LeastPrivilege {
  /** Adds one logged call. */
  add(decision: LoggedDecision): void;
  /** Returns every client, in the order of their first calls; throws `TooManySetsError`. */
  clients(): ClientNeeds[];
}

interface Client extends Caller {
  readonly first: string;
  calls: number;
  last: string;
  readonly held: Set<string>;
  readonly routes: Set<string>;
}

/** Collects calls. Memory grows with the number of clients, not with the length of the log. */
export function createLeastPrivilege(policy: Policy): LeastPrivilege {
  const normal = normalize(policy);
  const clients = new Map<string, Client>();
  return {
    add(logged) {
      const { subject, effect } = logged;
      // Anonymous calls need no scope, and a client can do without a refused call.
      if (subject === null || effect === "deny") return;
      const caller = callerOf(logged);
      const key = callerKey(caller);
      const client = clients.get(key) ?? newClient(caller, logged);
      clients.set(key, client);
      addCall(client, logged);
    },
    clients: () => [...clients.values()].map((client) => needsOf(client, normal)),
  };
}

function newClient(caller: Caller, { time }: LoggedDecision): Client {
  return { ...caller, first: time, calls: 0, last: time, held: new Set(), routes: new Set() };
}

function addCall(client: Client, { time, route, scopes }: LoggedDecision): void {
  client.calls++;
  client.last = time;
  client.routes.add(route);
  for (const scope of scopes) client.held.add(scope);
}

function needsOf(client: Client, normal: NormalPolicy): ClientNeeds {
  const { client: id, subject, calls, first, last } = client;
  const held = [...client.held].sort();
  const { open, refused, fields } = rulesOf(client, normal);
  const sets = open.reduce(both, ALWAYS);
  const needed = sets.map((set) => [...set]);
  // Nobody takes from a client how its users sign in.
  const rest = scopesIn(held).filter((scope) => !sets.some((set) => set.has(scope)));
  const showing = rest.map((scope) => {
    const shown = fields.filter(({ formula }) => matters(scope, { formula, sets }));
    return { scope, fields: shown.map(({ name }) => name) };
  }).filter((shown) => shown.fields.length > 0);
  const unneeded = rest.filter((scope) => !showing.some((shown) => shown.scope === scope));
  return { client: id, subject, calls, first, last, held, needed, unneeded, showing, refused };
}

/** The rules that concern a client, reduced to the alternatives that its scopes satisfy. */
interface ClientRules {
  /** Rules of the calls that it made. */
  readonly open: readonly Formula[];
  readonly refused: readonly string[];
  readonly fields: readonly { readonly name: string; readonly formula: Formula }[];
}

function rulesOf({ held, routes: called }: Client, { routes, fields }: NormalPolicy): ClientRules {
  const within = (formula: Formula) => formula.filter((set) => set.isSubsetOf(held));
  const rules = [...called].sort()
    .map((route) => ({ route, formula: within(routes.get(route) ?? NEVER) }));
  return {
    open: rules.map(({ formula }) => formula).filter((formula) => formula.length > 0),
    refused: rules.filter(({ formula }) => formula.length === 0).map(({ route }) => route),
    fields: [...fields].map(([name, formula]) => ({ name, formula: within(formula) })),
  };
}

/** Returns whether some token that can make all calls would not see a field without this scope. */
function matters(
  scope: string,
  { formula, sets }: { readonly formula: Formula; readonly sets: Formula },
): boolean {
  const removed = new Set([scope]);
  return formula.some((shown) =>
    shown.has(scope) &&
    sets.some((set) => !isSatisfied(formula, set.union(shown.difference(removed))))
  );
}
