/**
 * Reports what changes between two policies.
 *
 * @module
 */
import type { Change, Effect } from "../analysis/diff.ts";
import { inWords } from "../lint/names.ts";
import { count, type Paint } from "./text.ts";

export interface ChangeReport {
  readonly effect: Effect;
  readonly changes: readonly Change[];
  /** The changes with gains that no approval covers. */
  readonly open: readonly Change[];
  /** Digests of both policies. */
  readonly before: string;
  readonly after: string;
}

const SENTENCES = {
  same: "Both policies make the same decisions",
  narrower: "The new policy only restricts access",
  wider: "The new policy widens access",
} satisfies Readonly<Record<Effect, string>>;

/** For a terminal. */
export function changesToText(report: ChangeReport, paint: Paint): string {
  const style = report.effect === "wider" ? "error" : "good";
  const rows = report.changes.flatMap((change) => [
    `${paint("bold", change.name)}${noteOf(change)}`,
    ...change.gains.map((set) => `  ${paint("error", "+")} ${tokenOf(change, set)}`),
    ...change.losses.map((set) => `  ${paint("good", "-")} ${tokenOf(change, set)}`),
  ]);
  const lines = [paint(style, SENTENCES[report.effect]), ...rows, ...approvalLines(report)];
  return lines.map((line) => `${line}\n`).join("");
}

/** For a pull request. */
export function changesToMarkdown(report: ChangeReport): string {
  const { effect, changes, before, after } = report;
  const heading = `### Policy: ${SENTENCES[effect].toLowerCase()}`;
  const digests = `\`${before.slice(0, 12)}\` → \`${after.slice(0, 12)}\``;
  if (changes.length === 0) return `${heading}\n\n${digests}\n`;
  const rows = changes.map((change) =>
    `| \`${change.name}\`${noteOf(change)} | ${cellOf(change, change.gains)} | ${
      cellOf(change, change.losses)
    } |`
  );
  const lines = [
    heading,
    "",
    "| call or field | smallest tokens that gain it | smallest tokens that lose it |",
    "| --- | --- | --- |",
    ...rows,
    "",
    ...approvalLines(report),
    digests,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function approvalLines({ effect, open }: ChangeReport): string[] {
  if (effect !== "wider") return [];
  if (open.length === 0) return ["All gains are approved"];
  return [`${count(open.flatMap(({ gains }) => gains).length, "gain")} not approved`];
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
