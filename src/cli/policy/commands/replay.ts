/**
 * `policy replay`: lists the logged calls that another policy would have decided differently.
 *
 * @module
 */
import { type Command, EXIT, type Io } from "../../../policy/command.ts";
import {
  callerName,
  type DecisionLogStats,
  readDecisions,
} from "../../../policy/analysis/decisions.ts";
import { noteLines } from "../../../policy/report/notes.ts";
import { readLines } from "../../../policy/lint/read_lines.ts";
import { anyInWords } from "../../../policy/lint/names.ts";
import { readChosenPolicy } from "../inputs.ts";
import { readChoice, readOptions } from "../options.ts";
import {
  createReplay,
  type FieldFlip,
  type Flip,
  type FlippedCalls,
} from "../../../policy/analysis/replay.ts";
import { describeStats } from "../../../policy/report/log_stats.ts";
import { count, createPaint, type Paint } from "../../../policy/report/text.ts";

export const command: Command = {
  name: "replay",
  summary: "List the calls of a decision log that a new policy would decide differently",
  usage: [
    "replay LOG [NEW | --policy NEW] [--format text|json]",
    "LOG is a file, or - for standard input; NEW is a .json file or a git revision",
  ],
  async run(args, io) {
    const options = readOptions(args, { values: ["policy", "format"], words: [1, 2] });
    const format = readChoice(options, { name: "format", choices: ["text", "json"] });
    const [log = "", fresh] = options.words;
    const { policy, notes } = await readChosenPolicy(io, options, fresh);
    const replay = createReplay(policy);
    const stats: DecisionLogStats = { decisions: 0, unreadable: [] };
    for await (const decision of readDecisions(readLines(log), stats)) replay.add(decision);
    const changes = { flips: replay.flips(), fieldFlips: replay.fieldFlips() };
    io.out(
      format === "json"
        ? `${JSON.stringify({ ...stats, ...changes }, null, 2)}\n`
        : describe(changes, stats, io) + noteLines(namesIn(changes), notes),
    );
    const found = changes.flips.length + changes.fieldFlips.length + stats.unreadable.length;
    return found > 0 ? EXIT.findings : EXIT.good;
  },
};

interface ReplayChanges {
  readonly flips: readonly Flip[];
  readonly fieldFlips: readonly FieldFlip[];
}

function namesIn({ flips, fieldFlips }: ReplayChanges): string[] {
  return [...flips.map(({ route }) => route), ...fieldFlips.map(({ field }) => field)];
}

function describe(
  { flips, fieldFlips }: ReplayChanges,
  stats: DecisionLogStats,
  io: Io,
): string {
  const paint = createPaint(io.color);
  const calls = flips.flatMap(({ clients }) => clients).reduce((sum, one) => sum + one.calls, 0);
  return [
    ...flips.map((flip) => describeFlip(flip, paint)),
    ...fieldFlips.map((flip) => describeFieldFlip(flip, paint)),
    describeStats(stats),
    `${calls === 0 ? "No call" : count(calls, "call")} would be decided differently\n`,
    ...(fieldFlips.length === 0
      ? []
      : [`${count(fieldFlips.length, "field")} would be seen differently\n`]),
  ].join("");
}

function describeFieldFlip({ field, effect, clients }: FieldFlip, paint: Paint): string {
  const verdict = effect === "hide" ? paint("good", "hide ") : paint("error", "show ");
  return `${verdict}  ${field}\n${clients.map(describeClient).join("")}\n`;
}

function describeFlip({ route, effect, missing, clients }: Flip, paint: Paint): string {
  const verdict = effect === "allow" ? paint("good", "allow") : paint("error", "deny ");
  const lacks = effect === "allow" || missing.length === 0 ? "" : `  lacks ${anyInWords(missing)}`;
  return `${verdict}  ${route}${lacks}\n${clients.map(describeClient).join("")}\n`;
}

function describeClient({ calls, first, last, ...caller }: FlippedCalls): string {
  const when = first === last ? first : `${first} to ${last}`;
  return `       ${callerName(caller)}  ${count(calls, "call")}  ${when}\n`;
}
