/**
 * `policy explain`: explains one decision.
 *
 * @module
 */
import { readScopes, routeOf } from "../../../policy/analysis/calls.ts";
import { type Command, EXIT, type Io } from "../../../policy/command.ts";
import { createEngine, type Decision } from "../../../policy/engine.ts";
import { NEVER } from "../../../policy/analysis/formula.ts";
import { anyInWords, inWords } from "../../../policy/lint/names.ts";
import { normalize } from "../../../policy/analysis/normal.ts";
import { readChoice, readOptions } from "../options.ts";
import { POLICY } from "../../../policy/lint/paths.ts";
import { lackingFor } from "../../../policy/analysis/capabilities.ts";
import { createPaint } from "../../../policy/report/text.ts";
import { type Note, parsePolicyFile, type Policy } from "../../../policy/schema.ts";
import { readSource } from "../../../policy/lint/source.ts";

interface Explanation {
  readonly decision: Decision;
  /** The smallest sets of scopes that the token lacks. */
  readonly missing: readonly (readonly string[])[];
  /** Guarded fields that the response leaves out. */
  readonly hidden: readonly string[];
  /** `file:line:column` of the rule. */
  readonly place: string;
  readonly held: readonly string[];
  /** The note on the rule. */
  readonly note: Note | undefined;
}

export const command: Command = {
  name: "explain",
  summary: "Show whether a token may make a call, the rule that decides, and what the token lacks",
  usage: ['explain METHOD PATH --scopes "a.read b.read" [--format text|json]'],
  async run(args, io) {
    const options = readOptions(args, { values: ["scopes", "format"], words: [2, 2] });
    const format = readChoice(options, { name: "format", choices: ["text", "json"] });
    const text = await io.read(POLICY);
    const { policy, notes } = parsePolicyFile(text);
    const route = routeOf(options.words.join(" "), policy);
    const scopes = readScopes(options.values.get("scopes") ?? "", { policy, io });
    const { line, column } = readSource(POLICY, text).nameAt(["routes", route]);
    const explanation = {
      ...explain(policy, { route, scopes }),
      place: `${POLICY}:${line}:${column}`,
      note: notes.get(route),
    };
    io.out(format === "json" ? `${JSON.stringify(explanation)}\n` : describe(explanation, io));
    return explanation.decision.effect === "allow" ? EXIT.good : EXIT.denied;
  },
};

/** Returns the engine's decision, and what is missing without redundant alternatives. */
function explain(
  policy: Policy,
  { route, scopes }: { readonly route: string; readonly scopes: ReadonlySet<string> },
): Omit<Explanation, "place" | "note"> {
  const engine = createEngine(policy);
  const grant = engine.grant(scopes);
  const { all, routes } = normalize(policy);
  return {
    decision: engine.decide(route, grant),
    missing: lackingFor(routes.get(route) ?? NEVER, scopes).map((set) => [...set]),
    hidden: engine.hiddenFields(grant),
    held: [...all].filter((scope) => scopes.has(scope)),
  };
}

function describe(explanation: Explanation, io: Io): string {
  const { decision, missing, hidden, place, held, note } = explanation;
  const paint = createPaint(io.color);
  const allowed = decision.effect === "allow";
  const rule = decision.public ? "public" : anyInWords(decision.required);
  const rows = [
    ["rule", `${rule}  (${place})`],
    ...(note?.owner === undefined ? [] : [["owner", note.owner]]),
    ...(note?.because === undefined ? [] : [["why", note.because]]),
    ["has", inWords(held)],
    ...(allowed ? [] : [["lacks", missing.map(inWords).join(", or ")]]),
    ...(hidden.length === 0 ? [] : [["hides", hidden.join(", ")]]),
  ];
  const verdict = allowed ? paint("good", "allow") : paint("error", "deny ");
  return `${verdict}  ${decision.route}\n${
    rows.map(([name = "", text]) => `${paint("dim", name.padEnd(5))}  ${text}\n`).join("")
  }`;
}
