/**
 * `policy flow`: lists the smallest tokens that may make several calls.
 *
 * @module
 */
import { routeOf } from "../../../policy/analysis/calls.ts";
import { type Command, EXIT } from "../../../policy/command.ts";
import { normalize } from "../../../policy/analysis/normal.ts";
import { POLICY_USAGE, readChosenPolicy, TOKEN_USAGE } from "../inputs.ts";
import { readChoice, readOptions } from "../options.ts";
import { smallestFor } from "../../../policy/analysis/capabilities.ts";
import { describeSets, judgeToken } from "../smallest_sets.ts";
import { noteLines, notesOn } from "../../../policy/report/notes.ts";

export const command: Command = {
  name: "flow",
  summary: "List the smallest sets of scopes for a client that makes all of these calls",
  usage: [
    `flow "GET /v2/pages/:page_id" "POST /v2/pages" … ${POLICY_USAGE} [--format text|json]`,
    `${TOKEN_USAGE} also tells what this token lacks`,
  ],
  async run(args, io) {
    const options = readOptions(args, {
      values: ["policy", "scopes", "token", "format"],
      words: [1, Infinity],
    });
    const format = readChoice(options, { name: "format", choices: ["text", "json"] });
    const { policy, notes } = await readChosenPolicy(io, options);
    const routes = [...new Set(options.words.map((word) => routeOf(word, policy)))];
    const sets = smallestFor(normalize(policy), routes);
    const token = await judgeToken(options, { sets, policy, io });
    const names = [...routes, ...sets.flat()];
    io.out(
      format === "json"
        ? `${JSON.stringify({ routes, sets, token, notes: notesOn(names, notes) })}\n`
        : describeSets(sets, token) + noteLines(names, notes),
    );
    return EXIT.good;
  },
};
