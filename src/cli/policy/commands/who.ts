/**
 * `policy who`: lists the smallest tokens that may make a call.
 *
 * @module
 */
import { routeOf } from "../../../policy/analysis/calls.ts";
import { type Command, EXIT } from "../../../policy/command.ts";
import { readPolicyFile } from "../../../policy/lint/files.ts";
import { inWords } from "../../../policy/lint/names.ts";
import { normalize } from "../../../policy/analysis/normal.ts";
import { readChoice, readOptions } from "../options.ts";
import { smallestFor } from "../../../policy/analysis/capabilities.ts";

export const command: Command = {
  name: "who",
  summary: "List the smallest sets of scopes that allow a call",
  usage: ["who METHOD PATH [--format text|json]"],
  async run(args, io) {
    const options = readOptions(args, { values: ["format"], words: [2, 2] });
    const format = readChoice(options, { name: "format", choices: ["text", "json"] });
    const { policy } = await readPolicyFile(io);
    const route = routeOf(options.words.join(" "), policy);
    const sets = smallestFor(normalize(policy), [route]);
    io.out(format === "json" ? `${JSON.stringify({ route, sets })}\n` : describe(sets));
    return EXIT.good;
  },
};

/** Prints one set per line, or that the call is public. */
export function describe(sets: readonly (readonly string[])[]): string {
  if (sets.some((set) => set.length === 0)) return "everyone, without a token\n";
  return sets.map((set) => `${inWords(set)}\n`).join("");
}
