/**
 * `policy least-privilege`: what each client of a decision log could do without.
 *
 * @module
 */
import { type Command, EXIT, type Io } from "../../../policy/command.ts";
import { type DecisionLogReading, readDecisions } from "../../../policy/analysis/decisions.ts";
import { readPolicyFile } from "../../../policy/lint/files.ts";
import {
  type ClientNeeds,
  createLeastPrivilege,
} from "../../../policy/analysis/least_privilege.ts";
import { readLines } from "../../../policy/lint/lines.ts";
import { inWords } from "../../../policy/lint/names.ts";
import { readChoice, readOptions } from "../options.ts";
import { describeReading } from "../../../policy/report/reading.ts";
import { count, createPaint, type Paint } from "../../../policy/report/text.ts";

export const command: Command = {
  name: "least-privilege",
  summary: "List for each client of a decision log the scopes that it never needed",
  usage: [
    "least-privilege LOG [--format text|json]",
    "LOG is a file, or - for standard input",
  ],
  async run(args, io) {
    const options = readOptions(args, { values: ["format"], words: [1, 1] });
    const format = readChoice(options, { name: "format", choices: ["text", "json"] });
    const [log = ""] = options.words;
    const gathering = createLeastPrivilege((await readPolicyFile(io)).policy);
    const reading: DecisionLogReading = { decisions: 0, unreadable: [] };
    for await (const decision of readDecisions(readLines(log), reading)) gathering.add(decision);
    const clients = gathering.clients();
    io.out(
      format === "json"
        ? `${JSON.stringify({ ...reading, clients }, null, 2)}\n`
        : describe(clients, reading, io),
    );
    const found = clients.filter(({ unneeded }) => unneeded.length > 0).length;
    return found + reading.unreadable.length > 0 ? EXIT.findings : EXIT.good;
  },
};

function describe(clients: readonly ClientNeeds[], reading: DecisionLogReading, io: Io): string {
  const paint = createPaint(io.color);
  const found = clients.filter(({ unneeded }) => unneeded.length > 0).length;
  return [
    ...clients.map((client) => describeClient(client, paint)),
    describeReading(reading),
    `${found} of ${count(clients.length, "client")} held scopes that no call needed\n`,
  ].join("");
}

function describeClient(client: ClientNeeds, paint: Paint): string {
  const { subject, calls, first, last, needed, unneeded, showing, refused } = client;
  const rows = [
    ["needs", needed.map(inWords).join(", or ")],
    ...(unneeded.length === 0 ? [] : [["never", paint("warning", unneeded.join(", "))]]),
    ...showing.map(({ scope, fields }) => ["shows", `${scope} alone shows ${fields.join(", ")}`]),
    ...(refused.length === 0 ? [] : [["now no", refused.join(", ")]]),
  ];
  return `${paint("bold", subject)}  ${count(calls, "call")}  ${first} to ${last}\n${
    rows.map(([name = "", text]) => `  ${paint("dim", name.padEnd(6))}  ${text}\n`).join("")
  }\n`;
}
