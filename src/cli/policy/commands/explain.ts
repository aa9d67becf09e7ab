/**
 * `policy explain`: explains one decision.
 *
 * @module
 */
import { routeOf } from "../../../policy/analysis/calls.ts";
import { type Command, EXIT, type Io, UsageError } from "../../../policy/command.ts";
import { type DecisionLogStats, readDecisions } from "../../../policy/analysis/decisions.ts";
import { parseRequestLine } from "../../../policy/analysis/request_line.ts";
import { withFileName } from "../../../policy/lint/files.ts";
import { readLines } from "../../../policy/lint/read_lines.ts";
import { createEngine, type Decision } from "../../../policy/engine.ts";
import { NEVER } from "../../../policy/analysis/formula.ts";
import { anyInWords, inWords } from "../../../policy/lint/names.ts";
import { normalize } from "../../../policy/analysis/normal.ts";
import { POLICY_USAGE, readPolicyInput, readTokenScopes, TOKEN_USAGE } from "../inputs.ts";
import { type Options, readChoice, readOptions } from "../options.ts";
import { lackingFor } from "../../../policy/analysis/capabilities.ts";
import { createPaint } from "../../../policy/report/text.ts";
import { type Note, parsePolicyFile, placeOf, type Policy } from "../../../policy/schema.ts";
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
  /** The routes whose rules decide, if the route has none of its own. */
  readonly decidedBy: readonly string[];
  /** The note on the rule. */
  readonly note: Note | undefined;
}

export const command: Command = {
  name: "explain",
  summary: "Show whether a token may make a call, the rule that decides, and what the token lacks",
  usage: [
    `explain METHOD PATH|URL ${TOKEN_USAGE} ${POLICY_USAGE} [--format text|json]`,
    "explain 'curl …'",
    "explain --request ID --log LOG",
    "--token - reads the token from standard input",
  ],
  async run(args, io) {
    const options = readOptions(args, {
      values: ["scopes", "token", "policy", "request", "log", "format"],
      words: [0, 2],
    });
    const format = readChoice(options, { name: "format", choices: ["text", "json"] });
    const { name, text } = await readPolicyInput(io, options);
    const { policy, notes } = withFileName(name, () => parsePolicyFile(text));
    const { call, scopes } = await readSubject(options, { policy, io });
    const route = routeOf(call, policy);
    const { line, column } = readSource(name, text).nameAt(placeOf(policy, route));
    const explanation = {
      ...explain(policy, { route, scopes }),
      decidedBy: policy.aliases?.get(route) ?? [],
      place: `${name}:${line}:${column}`,
      note: notes.get(route),
    };
    io.out(format === "json" ? `${JSON.stringify(explanation)}\n` : describe(explanation, io));
    return explanation.decision.effect === "allow" ? EXIT.good : EXIT.denied;
  },
};

interface Subject {
  readonly call: string;
  readonly scopes: ReadonlySet<string>;
}

/** Returns the call and the token, from the command line or from the line of a log. */
async function readSubject(
  options: Options,
  { policy, io }: { readonly policy: Policy; readonly io: Io },
): Promise<Subject> {
  const { values, words } = options;
  const request = values.get("request");
  if (request !== undefined) return await findLogged(request, values.get("log"));
  if (words.length === 0) throw new UsageError("Too few arguments");
  const { call, authorization } = parseRequestLine(words);
  return { call, scopes: await readTokenScopes(options, { policy, io, authorization }) };
}

async function findLogged(request: string, log: string | undefined): Promise<Subject> {
  if (log === undefined) {
    throw new UsageError("--request needs the log: --log LOG, or - for standard input");
  }
  const stats: DecisionLogStats = { decisions: 0, unreadable: [] };
  for await (const decision of readDecisions(readLines(log), stats)) {
    if (decision.request === request) {
      return { call: decision.route, scopes: new Set(decision.scopes) };
    }
  }
  throw new UsageError(`No decision with the request ID ${request} in ${log}`);
}

/** Returns the engine's decision, and what is missing without redundant alternatives. */
function explain(
  policy: Policy,
  { route, scopes }: { readonly route: string; readonly scopes: ReadonlySet<string> },
): Omit<Explanation, "place" | "note" | "decidedBy"> {
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
  const { decision, missing, hidden, place, held, note, decidedBy } = explanation;
  const paint = createPaint(io.color);
  const allowed = decision.effect === "allow";
  const rule = decision.public ? "public" : anyInWords(decision.required);
  const rows = [
    ["rule", `${rule}  (${place})`],
    ...decidedBy.map((route) => ["as", route]),
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
