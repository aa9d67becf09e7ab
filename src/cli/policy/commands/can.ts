/**
 * `policy can`: lists everything that a token can do.
 *
 * @module
 */
import { type Command, EXIT } from "../../../policy/command.ts";
import { normalize } from "../../../policy/analysis/normal.ts";
import { POLICY_USAGE, readChosenPolicy, readTokenScopes, TOKEN_USAGE } from "../inputs.ts";
import { readChoice, readOptions } from "../options.ts";
import { noteLines, notesOn } from "../../../policy/report/notes.ts";
import { type Capabilities, capabilitiesOf } from "../../../policy/analysis/capabilities.ts";

export const command: Command = {
  name: "can",
  summary: "List every call that a token can make, and the guarded fields that it sees",
  usage: [`can ${TOKEN_USAGE} ${POLICY_USAGE} [--format text|json]`],
  async run(args, io) {
    const options = readOptions(args, { values: ["scopes", "token", "policy", "format"] });
    const format = readChoice(options, { name: "format", choices: ["text", "json"] });
    const { policy, notes } = await readChosenPolicy(io, options);
    const scopes = await readTokenScopes(options, { policy, io });
    const reach = capabilitiesOf(normalize(policy), scopes);
    const names = [...reach.calls, ...reach.shown, ...reach.hidden, ...scopes];
    io.out(
      format === "json"
        ? `${JSON.stringify({ ...reach, notes: notesOn(names, notes) })}\n`
        : describe(reach, policy.routes.size) + noteLines(names, notes),
    );
    return EXIT.good;
  },
};

function describe({ calls, shown, hidden }: Capabilities, all: number): string {
  const rows = [
    ...calls.map((call) => `  ${call}`),
    ...shown.map((field) => `  shows ${field}`),
    ...hidden.map((field) => `  hides ${field}`),
  ];
  return `${calls.length} of ${all} calls\n${rows.map((row) => `${row}\n`).join("")}`;
}
