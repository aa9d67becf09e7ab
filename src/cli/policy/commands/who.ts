/**
 * `policy who`: lists the smallest tokens that may make a call.
 *
 * @module
 */
import { fieldOf, routeOf } from "../../../policy/analysis/calls.ts";
import { type Command, EXIT } from "../../../policy/command.ts";
import { normalize } from "../../../policy/analysis/normal.ts";
import { POLICY_USAGE, readChosenPolicy, TOKEN_USAGE } from "../inputs.ts";
import { readChoice, readOptions } from "../options.ts";
import { noteLines, notesOn } from "../../../policy/report/notes.ts";
import { describeSets, judgeToken } from "../smallest_sets.ts";
import { smallestFor } from "../../../policy/analysis/capabilities.ts";
import { parseRequestLine } from "../../../policy/analysis/request_line.ts";
import type { Policy } from "../../../policy/schema.ts";

export const command: Command = {
  name: "who",
  summary: "List the smallest sets of scopes that allow a call or show a field",
  usage: [
    `who METHOD PATH ${POLICY_USAGE} [--format text|json]`,
    `who FIELD ${POLICY_USAGE} [--format text|json]`,
    `${TOKEN_USAGE} also tells what this token lacks`,
  ],
  async run(args, io) {
    const options = readOptions(args, {
      values: ["policy", "scopes", "token", "format"],
      words: [1, 2],
    });
    const format = readChoice(options, { name: "format", choices: ["text", "json"] });
    const { policy, notes } = await readChosenPolicy(io, options);
    const [first = "", ...rest] = options.words;
    const answer = rest.length === 0 && !/[\s/]/.test(first)
      ? { field: fieldOf(first, policy), sets: smallestSeeing(policy, first) }
      : whoCalls(options.words, policy);
    const { sets } = answer;
    const token = await judgeToken(options, { sets, policy, io });
    const names = ["field" in answer ? answer.field : answer.route, ...sets.flat()];
    io.out(
      format === "json"
        ? `${JSON.stringify({ ...answer, token, notes: notesOn(names, notes) })}\n`
        : describeSets(sets, token) + noteLines(names, notes),
    );
    return EXIT.good;
  },
};

function whoCalls(
  words: readonly string[],
  policy: Policy,
): { readonly route: string; readonly sets: string[][] } {
  const route = routeOf(parseRequestLine(words).call, policy);
  return { route, sets: smallestFor(normalize(policy), [route]) };
}

function smallestSeeing(policy: Policy, field: string): string[][] {
  return normalize(policy).fields.get(field)?.map((set) => [...set]) ?? [];
}
