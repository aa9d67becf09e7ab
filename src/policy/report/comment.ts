/**
 * The comment on a pull request that changes the policy.
 *
 * @module
 */
import { type ClientEffect, groupByClient } from "../analysis/client_effects.ts";
import { callerName } from "../analysis/decisions.ts";
import type { Change } from "../analysis/diff.ts";
import { needsConsent } from "../analysis/guards.ts";
import { sumUsage } from "../analysis/traffic.ts";
import { anyInWords } from "../lint/names.ts";
import { type ChangeReport, consentLines, noteOf, tokenOf, whyLines } from "./changes.ts";
import { describeUsage, nameClients, times, usageOf } from "./clients.ts";
import { guardLine } from "./guards.ts";
import { describeStats } from "./log_stats.ts";
import { count } from "./text.ts";

/** The report with the parts that only the comment shows. */
export interface CommentReport extends ChangeReport {
  /** Shell commands that show what tokens gain. */
  readonly curls: readonly string[];
  /** URL of the page of this change. */
  readonly page: string | undefined;
}

/** GitHub accepts comments of 65,536 characters. */
const MAX_ROWS = 30;
const MAX_ENTRIES = 5;

/** Returns the comment as GitHub-flavored Markdown: first what happens, in one sentence. */
export function changesToComment(report: CommentReport): string {
  const { before, after, page, curls } = report;
  const digests = `\`${before.slice(0, 12)}\` → \`${after.slice(0, 12)}\``;
  const parts = [
    `### Policy\n\n**${escapeMarkdown(sentenceFor(report))}**`,
    ...clientTable(report),
    ...changeTable(report),
    ...guardList(report),
    ...consentLines(report).map(escapeMarkdown),
    ...curlBlock(curls),
    page === undefined ? digests : `[Page of this change](${encodeURI(page)}) · ${digests}`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Returns what a change does in one sentence. */
export function sentenceFor(report: ChangeReport): string {
  const { changes, guards, clients } = report;
  const lost = guards.filter(needsConsent).length;
  const parts = [
    ...accessPart("opens", "gain", { changes, effects: clients?.effects }),
    ...accessPart("closes", "loss", { changes, effects: clients?.effects }),
    ...(lost === 0 ? [] : [`drops or weakens ${count(lost, "guard")}`]),
  ];
  if (parts.length === 0) return "This change decides every call as before.";
  return `This change ${parts.join(", ").replace(/, ([^,]*)$/, " and $1")}.`;
}

function accessPart(
  verb: string,
  effect: ClientEffect["effect"],
  { changes, effects }: {
    readonly changes: readonly Change[];
    readonly effects: readonly ClientEffect[] | undefined;
  },
): string[] {
  const own = changes.filter((change) =>
    (effect === "gain" ? change.gains : change.losses).length > 0
  );
  if (own.length === 0) return [];
  const counts = (["call", "field"] as const).flatMap((kind) => {
    const number = own.filter((change) => change.kind === kind).length;
    return number === 0 ? [] : [count(number, kind)];
  });
  return [`${verb} ${counts.join(" and ")}${clientsPart(effect, effects)}`];
}

function clientsPart(
  effect: ClientEffect["effect"],
  effects: readonly ClientEffect[] | undefined,
): string {
  if (effects === undefined) return "";
  const own = effects.filter((one) => one.effect === effect);
  if (own.length === 0) return " for no client of the log";
  const { calls } = sumUsage(own);
  const use = effect === "gain" || calls === 0 ? "" : ` (used ${times(calls)})`;
  return ` for ${nameClients(own)}${use}`;
}

function clientTable({ clients }: ChangeReport): string[] {
  if (clients === undefined) return [];
  const rows = groupByClient(clients.effects).map(([client, effects]) =>
    `| ${code(callerName(client))}, ${describeUsage(client.all)} | ${
      effectCell(effects, "gain")
    } | ${effectCell(effects, "loss")} |`
  );
  const read = describeStats(clients.stats).trim().replaceAll("\n", ", ");
  if (rows.length === 0) return [`No client of the log gains or loses anything (${read}).`];
  return [
    ["| client | gains | loses |", "| --- | --- | --- |", ...atMost(rows, MAX_ROWS)].join("\n"),
    `From the decision log: ${read}.`,
  ];
}

function effectCell(effects: readonly ClientEffect[], effect: ClientEffect["effect"]): string {
  const own = effects.filter((one) => one.effect === effect);
  const entries = own.map((one) => `${code(one.name)}: ${usageOf(one)}`);
  return atMost(entries, MAX_ENTRIES).join("<br>") || "–";
}

function changeTable({ changes, rules, ...report }: CommentReport): string[] {
  if (changes.length === 0) return [];
  const rows = changes.flatMap((change) => {
    const { name, gains, losses } = change;
    const { before, after } = rules.get(name) ?? { before: undefined, after: undefined };
    const why = whyLines(name, report).map((line) => `<br>${escapeMarkdown(line)}`).join("");
    const cells = [
      `${code(name)}${noteOf(change)}${why}`,
      ruleCell(change, before),
      ruleCell(change, after),
      setsCell(change, gains),
      setsCell(change, losses),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [[
    "| call or field | rule before | rule after | smallest tokens that gain it | smallest tokens that lose it |",
    "| --- | --- | --- | --- | --- |",
    ...atMost(rows, MAX_ROWS),
  ].join("\n")];
}

function ruleCell(
  { kind }: Change,
  sets: readonly (readonly string[])[] | undefined,
): string {
  if (sets === undefined) return kind === "call" ? "no rule: nobody" : "no rule: everyone";
  const words = anyInWords(sets.slice(0, MAX_ENTRIES));
  return sets.length > MAX_ENTRIES ? `${words}, and ${sets.length - MAX_ENTRIES} more` : words;
}

function setsCell(change: Change, sets: readonly (readonly string[])[]): string {
  return atMost(sets.map((set) => tokenOf(change, set)), MAX_ENTRIES).join("<br>") || "–";
}

function guardList({ guards }: ChangeReport): string[] {
  if (guards.length === 0) return [];
  const rows = guards.map((guard) =>
    `- ${needsConsent(guard) ? "⚠ " : ""}${escapeMarkdown(guardLine(guard))}`
  );
  return ["Guards that this change drops or weakens:", atMost(rows, MAX_ROWS).join("\n")];
}

function curlBlock(curls: readonly string[]): string[] {
  if (curls.length === 0) return [];
  return [
    `<details><summary>Try ${curls.length === 1 ? "it" : "each gain"}</summary>`,
    `\`\`\`sh\n${
      atMost(curls, MAX_ROWS).join("\n\n").replace(/^and (?=\d+ more$)/m, "# and ")
    }\n\`\`\``,
    "</details>",
  ];
}

/** Returns the first entries, and how many there are besides. */
function atMost(entries: readonly string[], most: number): string[] {
  const rest = entries.length - most;
  if (rest <= 0) return [...entries];
  return [...entries.slice(0, most), `and ${rest.toLocaleString("en")} more`];
}

/** Names in the policy and in the log are plain text, not markup, and mention nobody. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\r\n]+/g, " ").replaceAll(/[\\`*_<>\[\]|~]/g, "\\$&")
    .replaceAll("@", "@\u200b");
}

/** Returns a text as code, also inside a table. */
function code(text: string): string {
  return `\`${text.replaceAll(/[`\r\n]/g, "'").replaceAll("|", "\\|")}\``;
}
