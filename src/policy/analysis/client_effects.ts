/**
 * The effects of a change of policy on the clients of a decision log: what they gain and lose.
 *
 * @module
 */
import { type Caller, callerKey } from "./decisions.ts";
import type { Change } from "./diff.ts";
import { ALWAYS, type Formula, isSatisfied, NEVER } from "./formula.ts";
import { normalize, type NormalPolicy } from "./normal.ts";
import { sumUsage, type TokenTraffic, type Usage } from "./traffic.ts";
import type { Policy } from "../schema.ts";

/** A client whose tokens gain or lose one call or field. */
export interface ClientEffect extends Caller, Usage {
  readonly kind: Change["kind"];
  /** `METHOD path`, or the field's dotted name. */
  readonly name: string;
  readonly effect: "gain" | "loss";
  /**
   * The smallest sets of the change that its tokens contain. `calls` and `last` are about the calls
   * that these tokens made to the route or to one that it decides, or that can show the field.
   */
  readonly sets: readonly (readonly string[])[];
  /** All calls of the client in the log. */
  readonly all: Usage;
}

export interface ClientEffectsOptions {
  readonly before: Policy;
  readonly after: Policy;
  readonly changes: readonly Change[];
  readonly tokens: readonly TokenTraffic[];
  /** Returns the routes whose responses can contain a field; undefined: any. */
  readonly routesShowing: (field: string) => ReadonlySet<string> | undefined;
}

/**
 * Returns each gain and loss of each client, in the order of the changes, most calls first. It is
 * exact for the tokens of the log: a token counts if one policy allows it the call and the other
 * does not. A call without a token counts as a client of its own, which sees no field.
 */
export function clientEffects(options: ClientEffectsOptions): ClientEffect[] {
  const [before, after] = [normalize(options.before), normalize(options.after)];
  const totals = totalsOf(options.tokens);
  return options.changes.flatMap((change) =>
    (["gain", "loss"] as const).flatMap((effect) => {
      const [less, more] = effect === "gain" ? [before, after] : [after, before];
      const affected = options.tokens.filter((token) =>
        isPossible(change, token) && isSatisfied(formulaOf(change, more), token.scopes) &&
        !isSatisfied(formulaOf(change, less), token.scopes)
      );
      return [...Map.groupBy(affected, callerKey)].map(([key, tokens]) => ({
        ...effectOn(change, effect, { tokens, routes: routesOf(change, options) }),
        all: totals.get(key) ?? sumUsage([]),
      })).sort((a, b) => b.calls - a.calls);
    })
  );
}

/** Returns the effects by client: those that lose something first, then by their calls. */
export function groupByClient(
  effects: readonly ClientEffect[],
): (readonly [client: ClientEffect, effects: readonly ClientEffect[]])[] {
  const groups = [...Map.groupBy(effects, callerKey).values()].flatMap((own) =>
    own[0] === undefined ? [] : [[own[0], own] as const]
  );
  const lossesOf = (own: readonly ClientEffect[]): number =>
    sumUsage(own.filter(({ effect }) => effect === "loss")).calls;
  return groups.sort(([a, own], [b, other]) =>
    lossesOf(other) - lossesOf(own) || b.all.calls - a.all.calls
  );
}

function effectOn(
  { kind, name, ...change }: Change,
  effect: ClientEffect["effect"],
  { tokens, routes }: {
    readonly tokens: readonly TokenTraffic[];
    /** The routes whose calls count; undefined: all. */
    readonly routes: ReadonlySet<string> | undefined;
  },
): Omit<ClientEffect, "all"> {
  const [{ client, subject } = { client: null, subject: null }] = tokens;
  const sets = (effect === "gain" ? change.gains : change.losses)
    .filter((set) => tokens.some(({ scopes }) => new Set(set).isSubsetOf(scopes)));
  const usages = tokens.flatMap((token) => {
    // A denied call shows no field.
    const calls = kind === "call" ? token.routes : token.allowed;
    return [...calls].filter(([route]) => routes?.has(route) ?? true).map(([, usage]) => usage);
  });
  return { client, subject, kind, name, effect, sets, ...sumUsage(usages) };
}

/** Aliases follow the route that decides them, so a change of it is about their calls, too. */
function routesOf(
  { kind, name }: Change,
  { before, after, routesShowing }: ClientEffectsOptions,
): ReadonlySet<string> | undefined {
  if (kind === "field") return routesShowing(name);
  const aliases = [...before.aliases ?? [], ...after.aliases ?? []];
  return new Set([
    name,
    ...aliases.filter(([, targets]) => targets.includes(name)).map(([alias]) => alias),
  ]);
}

function formulaOf({ kind, name }: Change, { routes, fields }: NormalPolicy): Formula {
  return kind === "call" ? routes.get(name) ?? NEVER : fields.get(name) ?? ALWAYS;
}

/** Calls without a token are to public routes, whose responses have no guarded fields. */
function isPossible({ kind }: Change, { client, subject }: Caller): boolean {
  return kind === "call" || client !== null || subject !== null;
}

function totalsOf(tokens: readonly TokenTraffic[]): Map<string, Usage> {
  return new Map(
    [...Map.groupBy(tokens, callerKey)].map(([key, own]) =>
      [key, sumUsage(own.flatMap(({ routes }) => [...routes.values()]))] as const
    ),
  );
}
