/**
 * `policy test`: runs the cases, and measures how much of the policy's boundary they cover.
 *
 * @module
 */
import {
  type Case,
  type CaseFile,
  type CaseResult,
  runCases,
} from "../../../policy/analysis/cases.ts";
import { type Command, EXIT, type Io } from "../../../policy/command.ts";
import { caseOf, type Coverage, coverageOf, fileOf } from "../../../policy/analysis/coverage.ts";
import { readCases, withFileName } from "../../../policy/lint/files.ts";
import { normalize, type NormalPolicy } from "../../../policy/analysis/normal.ts";
import { POLICY_USAGE, readPolicyInput } from "../inputs.ts";
import { readChoice, readOptions } from "../options.ts";
import { CASES } from "../../../policy/lint/paths.ts";
import { readSource } from "../../../policy/lint/source.ts";
import { printJson } from "../../../policy/lint/print_json.ts";
import { printJunit } from "../../../policy/report/junit.ts";
import { toAnnotations, toSarif } from "../../../policy/report/machine.ts";
import { outcomesToText, type TestReport } from "../../../policy/report/outcomes.ts";
import {
  outcomesToFindings,
  outcomesToJunitCases,
  TEST_KINDS,
  type TestFindingsOptions,
} from "../../../policy/report/test_findings.ts";
import { count, createPaint } from "../../../policy/report/text.ts";
import { parsePolicyFile, type PolicyFile } from "../../../policy/schema.ts";

const FORMATS = ["text", "json", "github", "sarif", "junit"] as const;

type Locate = TestFindingsOptions["locate"];

interface Printing extends TestFindingsOptions {
  readonly notes: PolicyFile["notes"];
  readonly io: Io;
}

const PRINT = {
  text: printText,
  json: toJson,
  github: (report, printing) => toAnnotations(outcomesToFindings(report, printing)),
  sarif: (report, printing) => toSarif(outcomesToFindings(report, printing), TEST_KINDS),
  junit: (report, { normal }) => printJunit("policy test", outcomesToJunitCases(report, normal)),
} satisfies Readonly<
  Record<typeof FORMATS[number], (report: TestReport, printing: Printing) => string>
>;

export const command: Command = {
  name: "test",
  summary: "Run the cases of policy/cases, and check that they cover every rule",
  usage: [
    `test [--fill] [--format ${FORMATS.join("|")}] [FILE | ${POLICY_USAGE.slice(1, -1)}]`,
  ],
  async run(args, io) {
    const grammar = { values: ["policy", "format"], flags: ["fill"], words: [0, 1] } as const;
    const options = readOptions(args, grammar);
    const format = readChoice(options, { name: "format", choices: FORMATS });
    const { name, text } = await readPolicyInput(io, options, options.words[0]);
    const { policy, notes } = withFileName(name, () => parsePolicyFile(text));
    const normal = normalize(policy);
    const files = await readCases(io);
    const outcomes = runCases(files, normal);
    const coverage = coverageOf(outcomes, normal);
    if (options.flags.has("fill")) return await fill(coverage, { files, normal, io });
    const report = { outcomes, coverage };
    const locate = await findCases(files, io);
    io.out(
      PRINT[format](report, { normal, notes, locate, io, policy: readSource(name, text) }),
    );
    const good = coverage.missing.length === 0 && outcomes.every(({ passed }) => passed);
    return good ? EXIT.good : EXIT.findings;
  },
};

/** Reads the files again for their positions, which the cases do not have. */
async function findCases(files: readonly CaseFile[], io: Io): Promise<Locate> {
  const entries = await Promise.all(files.map(async ({ file, cases }) => {
    const source = readSource(file, await io.read(file));
    return cases.map((one, index) =>
      [one, { source, span: source.valueAt(["cases", index]) }] as const
    );
  }));
  const places = new Map(entries.flat());
  return ({ file, case: one }) =>
    places.get(one) ?? { source: readSource(file, "{}"), span: { line: 1, column: 1, length: 1 } };
}

interface Filling {
  readonly files: readonly CaseFile[];
  readonly normal: NormalPolicy;
  readonly io: Io;
}

/** Appends the missing cases to their files, for a person to review. */
async function fill({ missing }: Coverage, { files, normal, io }: Filling): Promise<number> {
  const existing = new Map(files.map(({ file, cases }) => [file, cases]));
  const groups = Map.groupBy(missing, (point) => `${CASES}/${fileOf(point)}.json`);
  for (const [file, points] of groups) {
    const added = points.map((point) => caseOf(point, normal));
    await io.write(file, printCases([...existing.get(file) ?? [], ...added]));
    io.out(`Added ${count(added.length, "case")} to ${file}\n`);
  }
  io.out(
    missing.length === 0
      ? "No case is missing\n"
      : "Review them: they record what the policy does now, not what it should do\n",
  );
  return EXIT.good;
}

/** Prints a file of cases. */
function printCases(cases: readonly Case[]): string {
  const value = { $schema: "../cases.schema.json", cases };
  return printJson(value, { spread: (path) => path.length < 2 });
}

function printText(report: TestReport, { normal, notes, locate, io }: Printing): string {
  const placeOf = (outcome: CaseResult): string => {
    const { source, span } = locate(outcome);
    return `${source.file}:${span.line}:${span.column}`;
  };
  return outcomesToText(report, { normal, notes, placeOf, paint: createPaint(io.color) });
}

function toJson({ outcomes, coverage }: TestReport, { normal }: Printing): string {
  return `${
    JSON.stringify(
      {
        cases: outcomes.map(({ file, case: one, passed, got }) => ({
          file,
          case: one,
          passed,
          got,
        })),
        points: coverage.points,
        uncovered: coverage.missing.map((point) => caseOf(point, normal)),
      },
      null,
      2,
    )
  }\n`;
}
