/**
 * Reports which clients of a decision log a change of policy affects.
 *
 * @module
 */
import type { ClientEffect } from "../analysis/client_effects.ts";
import { callerKey, callerName, type DecisionLogStats } from "../analysis/decisions.ts";
import type { Usage } from "../analysis/traffic.ts";
import { count } from "./text.ts";

/** The clients that a change affects, and how much of the log could be read. */
export interface ClientReport {
  readonly effects: readonly ClientEffect[];
  readonly stats: DecisionLogStats;
}

/** Returns the effects on the clients whose tokens contain one of the change's sets. */
export function effectsOfSet(
  { effects }: Pick<ClientReport, "effects">,
  { name, effect, set }: Pick<ClientEffect, "name" | "effect"> & {
    readonly set: readonly string[];
  },
): ClientEffect[] {
  const key = set.join(" ");
  return effects.filter((one) =>
    one.name === name && one.effect === effect && one.sets.some((own) => own.join(" ") === key)
  );
}

/** Returns `zapier  called it 3 times, last on 2026-12-01`. */
export function clientLine(effect: ClientEffect): string {
  return `${callerName(effect)}  ${usageOf(effect)}`;
}

/** Returns how often a client made the calls that an effect is about, and when. */
export function usageOf({ kind, calls, last, all }: ClientEffect): string {
  const verb = kind === "call" ? "called it" : "made calls that can show it";
  if (calls > 0) return `${verb} ${times(calls)}, last on ${dateOf(last)}`;
  return `never ${verb}, last seen on ${dateOf(all.last)}`;
}

/** Returns the names of clients, at most three of them in full: `a, b, c and 2 others`. */
export function nameClients(effects: readonly ClientEffect[]): string {
  const names = [
    ...new Map(effects.map((effect) => [callerKey(effect), callerName(effect)])).values(),
  ];
  if (names.length <= 3) return names.join(", ").replace(/, ([^,]*)$/, " and $1");
  return `${names.slice(0, 3).join(", ")} and ${count(names.length - 3, "other")}`;
}

/** Returns `3 calls, last on 2026-12-01`. */
export function describeUsage({ calls, last }: Usage): string {
  return calls === 0 ? "no call" : `${count(calls, "call")}, last on ${dateOf(last)}`;
}

/** Returns the date of a time in ISO 8601. */
export function dateOf(time: string): string {
  return time.slice(0, 10);
}

/** Returns `once`, `3 times`. */
export function times(calls: number): string {
  return calls === 1 ? "once" : `${calls.toLocaleString("en")} times`;
}
