/**
 * What each client of a decision log could do without.
 *
 * @module
 */
import { covers, join, type Mask, meets, without } from "../bits.ts";
import type { LoggedDecision } from "./decisions.ts";
import { both, type Formula, isFulfilled, NEVER } from "./formula.ts";
import { normalize, type NormalPolicy } from "./normal.ts";
import type { Policy } from "../schema.ts";

/** One client, by all the calls that it was allowed. */
export interface ClientNeeds {
  readonly subject: string;
  readonly calls: number;
  readonly first: string;
  readonly last: string;
  /** Scopes that its tokens held, in alphabetical order. */
  readonly held: readonly string[];
  /** The smallest sets of these that open every call it made. */
  readonly needed: readonly (readonly string[])[];
  /** Held, in none of these sets, and without effect on any answer. */
  readonly unneeded: readonly string[];
  /** Held and in none of these sets, but answers show a guarded field because of them. */
  readonly showing: readonly { readonly scope: string; readonly fields: readonly string[] }[];
  /** Calls that it made and that the policy would refuse it now. */
  readonly refused: readonly string[];
}

export interface LeastPrivilege {
  /** Notes one logged call. */
  add(decision: LoggedDecision): void;
  /** Every client, in the order of its first call; throws `TooManySetsError`. */
  clients(): ClientNeeds[];
}

interface Client {
  readonly subject: string;
  readonly first: string;
  calls: number;
  last: string;
  readonly held: Set<string>;
  readonly routes: Set<string>;
}

/** Begins to gather; it keeps as much as there are clients, however long the log. */
export function createLeastPrivilege(policy: Policy): LeastPrivilege {
  const normal = normalize(policy);
  const clients = new Map<string, Client>();
  return {
    add(logged) {
      const { subject, effect } = logged;
      // Calls without a client need no scope, and what was refused was not needed.
      if (subject === null || effect === "deny") return;
      const client = clients.get(subject) ?? newClient(subject, logged);
      clients.set(subject, client);
      note(client, logged);
    },
    clients: () => [...clients.values()].map((client) => needsOf(client, normal)),
  };
}

function newClient(subject: string, { time }: LoggedDecision): Client {
  return { subject, first: time, calls: 0, last: time, held: new Set(), routes: new Set() };
}

function note(client: Client, { time, route, scopes }: LoggedDecision): void {
  client.calls++;
  client.last = time;
  client.routes.add(route);
  for (const scope of scopes) client.held.add(scope);
}

function needsOf(client: Client, normal: NormalPolicy): ClientNeeds {
  const { subject, calls, first, last } = client;
  const held = [...client.held].sort();
  const { open, refused, fields } = reachOf(client, normal);
  const sets = open.reduce(both, [normal.bits.mask([])]);
  const needed = sets.map((set) => normal.bits.names(set));
  const rest = held.filter((scope) => !needed.some((set) => set.includes(scope)));
  const showing = rest.map((scope) => {
    const mask = normal.bits.mask([scope]);
    const shown = fields.filter(({ formula }) => matters(mask, { formula, sets }));
    return { scope, fields: shown.map(({ name }) => name) };
  }).filter((shown) => shown.fields.length > 0);
  const unneeded = rest.filter((scope) => !showing.some((shown) => shown.scope === scope));
  return { subject, calls, first, last, held, needed, unneeded, showing, refused };
}

interface Reach {
  /** The rules of the calls that a client made, as far as it can fulfil them. */
  readonly open: readonly Formula[];
  readonly refused: readonly string[];
  readonly fields: readonly { readonly name: string; readonly formula: Formula }[];
}

function reachOf({ held, routes: called }: Client, { bits, routes, fields }: NormalPolicy): Reach {
  const mask = bits.mask(held);
  const within = (formula: Formula) => formula.filter((set) => covers(mask, set));
  const rules = [...called].sort()
    .map((route) => ({ route, formula: within(routes.get(route) ?? NEVER) }));
  return {
    open: rules.map(({ formula }) => formula).filter((formula) => formula.length > 0),
    refused: rules.filter(({ formula }) => formula.length === 0).map(({ route }) => route),
    fields: [...fields].map(([name, formula]) => ({ name, formula: within(formula) })),
  };
}

/** Whether a scope shows a field to some token that opens all calls and would not see it without. */
function matters(
  scope: Mask,
  { formula, sets }: { readonly formula: Formula; readonly sets: Formula },
): boolean {
  return formula.some((mask) =>
    meets(mask, scope) &&
    sets.some((set) => !isFulfilled(formula, join(set, without(mask, scope))))
  );
}
