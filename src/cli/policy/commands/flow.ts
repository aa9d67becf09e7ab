/**
 * `policy flow`: lists the smallest tokens that may make several calls.
 *
 * @module
 */
import { routeOf } from "../../../policy/analysis/calls.ts";
import { type Command, EXIT } from "../../../policy/command.ts";
import { normalize } from "../../../policy/analysis/normal.ts";
import { POLICY_USAGE, readChosenPolicy } from "../inputs.ts";
import { readChoice, readOptions } from "../options.ts";
import { smallestFor } from "../../../policy/analysis/capabilities.ts";
import { describe } from "./who.ts";

export const command: Command = {
  name: "flow",
  summary: "List the smallest sets of scopes for a client that makes all of these calls",
  usage: [
    `flow "GET /v2/pages/:page_id" "POST /v2/pages" … ${POLICY_USAGE} [--format text|json]`,
  ],
  async run(args, io) {
    const options = readOptions(args, { values: ["policy", "format"], words: [1, Infinity] });
    const format = readChoice(options, { name: "format", choices: ["text", "json"] });
    const { policy } = await readChosenPolicy(io, options);
    const routes = [...new Set(options.words.map((word) => routeOf(word, policy)))];
    const sets = smallestFor(normalize(policy), routes);
    io.out(format === "json" ? `${JSON.stringify({ routes, sets })}\n` : describe(sets));
    return EXIT.good;
  },
};
