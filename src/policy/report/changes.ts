/**
 * Reports what changes between two policies.
 *
 * @module
 */
import type { Change, Effect } from "../analysis/diff.ts";
import { needsConsent } from "../analysis/guards.ts";
import { isConsented, type Review } from "../analysis/review.ts";
import { inWords } from "../lint/names.ts";
import type { Note } from "../schema.ts";
import { clientLine, type ClientReport, effectsOfSet } from "./clients.ts";
import { approvalLine, guardLine } from "./guards.ts";
import { describeStats } from "./log_stats.ts";
import { noteText } from "./notes.ts";
import { count, type Paint } from "./text.ts";

/** The smallest sets that satisfied a rule before a change and after it; undefined: no rule. */
export interface RuleChange {
  readonly before: readonly (readonly string[])[] | undefined;
  readonly after: readonly (readonly string[])[] | undefined;
}

export interface ChangeReport extends Review {
  /** The notes of both policies. */
  readonly notes: ReadonlyMap<string, Note>;
  /** The rules of changed calls and fields, by name. */
  readonly rules: ReadonlyMap<string, RuleChange>;
  /** The clients of a decision log; undefined without one. */
  readonly clients: ClientReport | undefined;
}

const SENTENCES = {
  same: "Both policies make the same decisions",
  narrower: "The new policy only restricts access",
  wider: "The new policy widens access",
} satisfies Readonly<Record<Effect, string>>;

/** For a terminal. */
export function changesToText(report: ChangeReport, paint: Paint): string {
  const style = isConsented(report) ? "good" : "error";
  const rows = report.changes.flatMap((change) => [
    `${paint("bold", change.name)}${noteOf(change)}`,
    ...change.gains.flatMap((set) => [
      `  ${paint("error", "+")} ${tokenOf(change, set)}`,
      ...clientLines(report, { name: change.name, effect: "gain", set }),
    ]),
    ...change.losses.flatMap((set) => [
      `  ${paint("good", "-")} ${tokenOf(change, set)}`,
      ...clientLines(report, { name: change.name, effect: "loss", set }),
    ]),
    ...whyLines(change.name, report).map((line) => `  ${paint("dim", line)}`),
  ]);
  const guards = report.guards.map((guard) =>
    needsConsent(guard) ? `${paint("error", "!")} ${guardLine(guard)}` : `  ${guardLine(guard)}`
  );
  const lines = [
    paint(style, SENTENCES[report.effect]),
    ...rows,
    ...(guards.length === 0 ? [] : [paint("bold", "Guards"), ...guards]),
    ...consentLines(report),
    ...(report.clients === undefined ? [] : [describeStats(report.clients.stats).trimEnd()]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function clientLines(
  { clients }: ChangeReport,
  set: Parameters<typeof effectsOfSet>[1],
): string[] {
  if (clients === undefined) return [];
  const effects = effectsOfSet(clients, set);
  if (effects.length === 0) return ["      no client of the log"];
  return effects.map((effect) => `      ${clientLine(effect)}`);
}

/** Returns the note on a rule: its owner and its reason. */
export function whyLines(name: string, { notes }: Pick<ChangeReport, "notes">): string[] {
  const text = noteText(notes.get(name));
  return text === undefined ? [] : [text];
}

/** Returns what the approvals are worth, and what is not approved. */
export function consentLines(report: ChangeReport): string[] {
  return [
    ...report.approvals.flatMap((approval) => approvalLine(approval) ?? []),
    ...openLines(report),
  ];
}

function openLines({ open, effect, guards, approvals }: ChangeReport): string[] {
  const gains = open.changes.flatMap((change) => change.gains).length;
  const missing = [
    ...(gains === 0 ? [] : [count(gains, "gain")]),
    ...(open.guards.length === 0 ? [] : [count(open.guards.length, "lost guard")]),
  ];
  if (missing.length > 0) return [`${missing.join(" and ")} not approved`];
  if (effect !== "wider" && !guards.some(needsConsent)) return [];
  const owners = approvals.filter(({ state }) => state === "applies")
    .map(({ owner, until }) => `${owner} until ${until}`);
  return [`Everything is approved by ${[...new Set(owners)].join(", ")}`];
}

/** Returns ` (added)` or ` (removed)`; empty if the rule changed. */
export function noteOf({ state }: Change): string {
  return state === "changed" ? "" : ` (${state})`;
}

/** Returns a smallest token in words. */
export function tokenOf({ kind }: Change, set: readonly string[]): string {
  if (set.length > 0) return inWords(set);
  return kind === "call" ? "everyone, without a token" : "everyone";
}
