/**
 * `policy who`: lists the smallest tokens that may make a call.
 *
 * @module
 */
import { fieldOf, routeOf } from "../../../policy/analysis/calls.ts";
import { type Command, EXIT } from "../../../policy/command.ts";
import { inWords } from "../../../policy/lint/names.ts";
import { normalize } from "../../../policy/analysis/normal.ts";
import { POLICY_USAGE, readChosenPolicy } from "../inputs.ts";
import { readChoice, readOptions } from "../options.ts";
import { smallestFor } from "../../../policy/analysis/capabilities.ts";
import { parseRequestLine } from "../../../policy/analysis/request_line.ts";
import type { Note, Policy } from "../../../policy/schema.ts";

export const command: Command = {
  name: "who",
  summary: "List the smallest sets of scopes that allow a call or show a field",
  usage: [
    `who METHOD PATH ${POLICY_USAGE} [--format text|json]`,
    `who FIELD ${POLICY_USAGE} [--format text|json]`,
  ],
  async run(args, io) {
    const options = readOptions(args, { values: ["policy", "format"], words: [1, 2] });
    const format = readChoice(options, { name: "format", choices: ["text", "json"] });
    const { policy, notes } = await readChosenPolicy(io, options);
    const [first = "", ...rest] = options.words;
    const answer = rest.length === 0 && !/[\s/]/.test(first)
      ? { field: fieldOf(first, policy), sets: smallestSeeing(policy, first) }
      : whoCalls(options.words, policy);
    const note = noteLines(notes.get("field" in answer ? answer.field : answer.route));
    io.out(format === "json" ? `${JSON.stringify(answer)}\n` : describe(answer.sets) + note);
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

function noteLines(note: Note | undefined): string {
  const { owner, because } = note ?? {};
  return [
    ...(owner === undefined ? [] : [`owner  ${owner}\n`]),
    ...(because === undefined ? [] : [`why    ${because}\n`]),
  ].join("");
}

/** Prints one set per line, or that the call is public. */
export function describe(sets: readonly (readonly string[])[]): string {
  if (sets.some((set) => set.length === 0)) return "everyone, without a token\n";
  return sets.map((set) => `${inWords(set)}\n`).join("");
}
