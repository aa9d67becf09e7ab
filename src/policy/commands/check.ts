/**
 * `policy check`: everything that is wrong with the policy, with its place.
 *
 * @module
 */
import { check, RULES } from "../check.ts";
import { type Command, EXIT, type Io } from "../command.ts";
import { POLICY, readPolicyAt, readPublished } from "../files.ts";
import type { Finding } from "../finding.ts";
import { readChoice, readOptions } from "../options.ts";
import { toAnnotations, toJson, toJunit, toSarif } from "../report/machine.ts";
import { createPaint, toText } from "../report/text.ts";
import { readSource } from "../source.ts";

const FORMATS = ["text", "json", "sarif", "junit", "github"] as const;
const CODES = RULES.map(({ code }) => code);

type Format = typeof FORMATS[number];
type Print = (findings: readonly Finding[], io: Io) => string;

const PRINT = {
  text: (findings, { color }) => toText(findings, createPaint(color)),
  json: toJson,
  sarif: (findings) => toSarif(findings, CODES),
  junit: (findings) => toJunit(findings, CODES),
  github: toAnnotations,
} satisfies Readonly<Record<Format, Print>>;

export const command: Command = {
  name: "check",
  summary: "Find everything that is wrong with the policy, and prove its statements",
  usage: [
    `check [--format ${FORMATS.join("|")}] [--base REVISION|FILE] [FILE]`,
  ],
  async run(args, io) {
    const options = readOptions(args, { values: ["format", "base"], words: [0, 1] });
    const format = readChoice(options, { name: "format", choices: FORMATS });
    const [path = POLICY] = options.words;
    const base = options.values.get("base");
    const findings = check({
      source: readSource(path, await io.read(path)),
      api: await readPublished(io),
      base: base === undefined ? undefined : (await readPolicyAt(io, base)).policy,
    });
    io.out(PRINT[format](findings, io));
    return findings.some(({ level }) => level === "error") ? EXIT.findings : EXIT.good;
  },
};
