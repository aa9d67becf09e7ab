/**
 * `policy replay`: which logged calls another policy would have decided otherwise.
 *
 * @module
 */
import { type Command, EXIT, type Io } from "../../../policy/command.ts";
import { type DecisionLogReading, readDecisions } from "../../../policy/analysis/decisions.ts";
import { readPolicyAt } from "../../../policy/lint/files.ts";
import { readLines } from "../../../policy/lint/lines.ts";
import { anyInWords } from "../../../policy/lint/names.ts";
import { readChoice, readOptions } from "../options.ts";
import { createReplay, type Flip, type FlippedCalls } from "../../../policy/analysis/replay.ts";
import { describeReading } from "../../../policy/report/reading.ts";
import { count, createPaint, type Paint } from "../../../policy/report/text.ts";

export const command: Command = {
  name: "replay",
  summary: "Tell which calls of a decision log a new policy would decide otherwise",
  usage: [
    "replay LOG NEW [--format text|json]",
    "LOG is a file, or - for standard input; NEW is a .json file, or a git revision",
  ],
  async run(args, io) {
    const options = readOptions(args, { values: ["format"], words: [2, 2] });
    const format = readChoice(options, { name: "format", choices: ["text", "json"] });
    const [log = "", fresh = ""] = options.words;
    const replay = createReplay((await readPolicyAt(io, fresh)).policy);
    const reading: DecisionLogReading = { decisions: 0, unreadable: [] };
    for await (const decision of readDecisions(readLines(log), reading)) replay.add(decision);
    const flips = replay.flips();
    io.out(
      format === "json"
        ? `${JSON.stringify({ ...reading, flips }, null, 2)}\n`
        : describe(flips, reading, io),
    );
    return flips.length + reading.unreadable.length > 0 ? EXIT.findings : EXIT.good;
  },
};

function describe(flips: readonly Flip[], reading: DecisionLogReading, io: Io): string {
  const paint = createPaint(io.color);
  const calls = flips.flatMap(({ clients }) => clients).reduce((sum, one) => sum + one.calls, 0);
  return [
    ...flips.map((flip) => describeFlip(flip, paint)),
    describeReading(reading),
    `${calls === 0 ? "None" : calls} would be decided otherwise\n`,
  ].join("");
}

function describeFlip({ route, effect, missing, clients }: Flip, paint: Paint): string {
  const verdict = effect === "allow" ? paint("good", "allow") : paint("error", "deny ");
  const lacks = effect === "allow" || missing.length === 0 ? "" : `  lacks ${anyInWords(missing)}`;
  return `${verdict}  ${route}${lacks}\n${clients.map(describeClient).join("")}\n`;
}

function describeClient({ subject, calls, first, last }: FlippedCalls): string {
  const when = first === last ? first : `${first} to ${last}`;
  return `       ${subject ?? "without a token"}  ${count(calls, "call")}  ${when}\n`;
}
