/**
 * `policy least-privilege`: lists the scopes that each client of a decision log does not need.
 *
 * @module
 */
import { type Command, EXIT, type Io } from "../../../policy/command.ts";
import {
  callerName,
  type DecisionLogStats,
  readDecisions,
} from "../../../policy/analysis/decisions.ts";
import {
  type ClientNeeds,
  createLeastPrivilege,
} from "../../../policy/analysis/least_privilege.ts";
import { noteLines } from "../../../policy/report/notes.ts";
import { readLines } from "../../../policy/lint/read_lines.ts";
import { inWords } from "../../../policy/lint/names.ts";
import { POLICY_USAGE, readChosenPolicy } from "../inputs.ts";
import { readChoice, readOptions } from "../options.ts";
import { describeStats } from "../../../policy/report/log_stats.ts";
import { count, createPaint, type Paint } from "../../../policy/report/text.ts";

export const command: Command = {
  name: "least-privilege",
  summary: "List the scopes that each client of a decision log never needed",
  usage: [
    `least-privilege LOG ${POLICY_USAGE} [--format text|json]`,
    "LOG is a file, or - for standard input",
  ],
  async run(args, io) {
    const options = readOptions(args, { values: ["policy", "format"], words: [1, 1] });
    const format = readChoice(options, { name: "format", choices: ["text", "json"] });
    const [log = ""] = options.words;
    const { policy, notes } = await readChosenPolicy(io, options);
    const leastPrivilege = createLeastPrivilege(policy);
    const stats: DecisionLogStats = { decisions: 0, unreadable: [] };
    for await (const decision of readDecisions(readLines(log), stats)) {
      leastPrivilege.add(decision);
    }
    const clients = leastPrivilege.clients();
    io.out(
      format === "json"
        ? `${JSON.stringify({ ...stats, clients }, null, 2)}\n`
        : describe(clients, stats, io) +
          noteLines(clients.flatMap(({ unneeded }) => unneeded), notes),
    );
    return countUnneeding(clients) + stats.unreadable.length > 0 ? EXIT.findings : EXIT.good;
  },
};

function describe(clients: readonly ClientNeeds[], stats: DecisionLogStats, io: Io): string {
  const paint = createPaint(io.color);
  return [
    ...clients.map((client) => describeClient(client, paint)),
    describeStats(stats),
    `${countUnneeding(clients)} of ${
      count(clients.length, "client")
    } had scopes that no call needed\n`,
  ].join("");
}

/** Counts the clients with unneeded scopes. */
function countUnneeding(clients: readonly ClientNeeds[]): number {
  return clients.filter(({ unneeded }) => unneeded.length > 0).length;
}

function describeClient(client: ClientNeeds, paint: Paint): string {
  const { calls, first, last, needed, unneeded, showing, refused } = client;
  const rows = [
    ["needs", needed.map(inWords).join(", or ")],
    ...(unneeded.length === 0 ? [] : [["remove", paint("warning", unneeded.join(", "))]]),
    ...showing.map(({ scope, fields }) => ["shows", `${scope} alone shows ${fields.join(", ")}`]),
    ...(refused.length === 0 ? [] : [["denied", refused.join(", ")]]),
  ];
  return `${paint("bold", callerName(client))}  ${count(calls, "call")}  ${first} to ${last}\n${
    rows.map(([name = "", text]) => `  ${paint("dim", name.padEnd(6))}  ${text}\n`).join("")
  }\n`;
}
