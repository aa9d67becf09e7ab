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
import { approvalLine, guardLine } from "./guards.ts";
import { count, type Paint } from "./text.ts";

export interface ChangeReport extends Review {
  /** The notes of both policies. */
  readonly notes: ReadonlyMap<string, Note>;
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
    ...change.gains.map((set) => `  ${paint("error", "+")} ${tokenOf(change, set)}`),
    ...change.losses.map((set) => `  ${paint("good", "-")} ${tokenOf(change, set)}`),
    ...whyLines(change.name, report).map((line) => `  ${paint("dim", line)}`),
  ]);
  const guards = report.guards.map((guard) =>
    needsConsent(guard) ? `${paint("error", "!")} ${guardLine(guard)}` : `  ${guardLine(guard)}`
  );
  const lines = [
    paint(style, SENTENCES[report.effect]),
    ...rows,
    ...(guards.length === 0 ? [] : [paint("bold", "Guards"), ...guards]),
    ...approvalLines(report),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** For a pull request. */
export function changesToMarkdown(report: ChangeReport): string {
  const { effect, changes, guards, before, after } = report;
  const heading = `### Policy: ${SENTENCES[effect].toLowerCase()}`;
  const digests = `\`${before.slice(0, 12)}\` → \`${after.slice(0, 12)}\``;
  if (changes.length + guards.length === 0) return `${heading}\n\n${digests}\n`;
  const rows = changes.map((change) =>
    `| \`${change.name}\`${noteOf(change)} | ${cellOf(change, change.gains)} | ${
      cellOf(change, change.losses)
    } |`
  );
  const table = rows.length === 0 ? [] : [
    "| call or field | smallest tokens that gain it | smallest tokens that lose it |",
    "| --- | --- | --- |",
    ...rows,
    "",
  ];
  const guardRows = guards.map((guard) =>
    `- ${needsConsent(guard) ? "⚠ " : ""}${escapeMarkdown(guardLine(guard))}`
  );
  const lines = [
    ...[heading, "", ...table],
    ...(guards.length === 0
      ? []
      : ["Guards that this change drops or weakens:", "", ...guardRows, ""]),
    ...approvalLines(report).flatMap((line) => [line, ""]),
    digests,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Names in the policy are plain text, not markup. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_<>\[\]|]/g, "\\$&");
}

function whyLines(name: string, { notes }: ChangeReport): string[] {
  const { owner, because } = notes.get(name) ?? {};
  const note = [owner, because].filter((part) => part !== undefined).join(": ");
  return note === "" ? [] : [note];
}

function approvalLines(report: ChangeReport): string[] {
  const { open, approvals } = report;
  return [
    ...approvals.flatMap((approval) => approvalLine(approval) ?? []),
    ...consentLines(report, open),
  ];
}

function consentLines({ effect, guards, approvals }: ChangeReport, open: Review["open"]): string[] {
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

function noteOf({ state }: Change): string {
  return state === "changed" ? "" : ` (${state})`;
}

function tokenOf({ kind }: Change, set: readonly string[]): string {
  if (set.length > 0) return inWords(set);
  return kind === "call" ? "everyone, without a token" : "everyone";
}

function cellOf(change: Change, sets: readonly (readonly string[])[]): string {
  return sets.map((set) => tokenOf(change, set)).join("<br>") || "–";
}
