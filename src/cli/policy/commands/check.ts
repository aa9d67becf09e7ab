/**
 * `policy check`: finds errors in the policy.
 *
 * @module
 */
import { check, checkCases, KINDS } from "../../../policy/lint/check.ts";
import {
  type Command,
  type CommandContext,
  EXIT,
  type Io,
  STANDARD_INPUT,
} from "../../../policy/command.ts";
import { readPolicyAt, readPublished } from "../../../policy/lint/files.ts";
import { compareFindings, type Finding } from "../../../policy/lint/finding.ts";
import { toNotServed } from "../../../policy/lint/not_served.ts";
import { readPolicyInput } from "../inputs.ts";
import { readChoice, readOptions } from "../options.ts";
import { CASES, documentPaths, POLICY } from "../../../policy/lint/paths.ts";
import { toAnnotations, toJson, toJunit, toSarif } from "../../../policy/report/machine.ts";
import { readShape } from "../../../policy/schema.ts";
import { createPaint, toText } from "../../../policy/report/text.ts";
import { readSource, type Source } from "../../../policy/lint/source.ts";

const FORMATS = ["text", "json", "sarif", "junit", "github"] as const;

type Format = typeof FORMATS[number];
type Print = (findings: readonly Finding[], io: Io) => string;

const PRINT = {
  text: (findings, { color }) => toText(findings, createPaint(color)),
  json: toJson,
  sarif: (findings) => toSarif(findings, KINDS),
  junit: (findings) => toJunit(findings, KINDS),
  github: toAnnotations,
} satisfies Readonly<Record<Format, Print>>;

export const command: Command = {
  name: "check",
  summary: "Find errors in the policy, and prove its statements",
  usage: [
    `check [--format ${FORMATS.join("|")}] [--base REVISION|FILE] [FILE | --policy FILE|REVISION]`,
    "check ORDERS.json --document OPENAPI.json, for a policy of another service",
  ],
  async run(args, context) {
    const options = readOptions(args, {
      values: ["format", "base", "policy", "document"],
      words: [0, 1],
    });
    const format = readChoice(options, { name: "format", choices: FORMATS });
    const { name: path, text } = await readPolicyInput(context, options, options.words[0]);
    const base = options.values.get("base");
    const source = readSource(path, text);
    const isOwn = readShape(source.value).file?.service === undefined;
    const document = options.values.get("document");
    const own = check({
      source,
      api: isOwn || document !== undefined
        ? await readPublished(context, { file: document, policyFile: fileOf(path) })
        : undefined,
      base: base === undefined ? undefined : (await readPolicyAt(context, base)).policy,
    });
    // The server would only repeat the errors of the rules, without their places.
    const rejections = own.some(isError) || !isOwn ? [] : await findRejections(source, context);
    const inCases = isOwn ? await findInCases(context) : [];
    const findings = [...own, ...rejections, ...inCases].sort(compareFindings);
    context.out(PRINT[format](findings, context));
    return findings.some(isError) ? EXIT.findings : EXIT.good;
  },
};

function isError({ level }: Finding): boolean {
  return level === "error";
}

/** Returns the file of a policy, which may come from a git revision or standard input. */
function fileOf(name: string): string {
  return name === STANDARD_INPUT ? POLICY : name.slice(name.indexOf(":") + 1);
}

/** Returns the reasons why the server would not start. */
async function findRejections({ file, text }: Source, context: CommandContext): Promise<Finding[]> {
  const paths = { policy: file, ...documentPaths(fileOf(file)) };
  const [document, meta] = [await context.read(paths.document), await context.read(paths.meta)];
  const texts = { policy: text, document, meta };
  return toNotServed(await context.rejections(texts, paths), { texts, paths });
}

async function findInCases(io: Io): Promise<Finding[]> {
  const files = await io.list(CASES, ".json");
  const findings = await Promise.all(
    files.map(async (file) => checkCases(readSource(file, await io.read(file)))),
  );
  return findings.flat();
}
