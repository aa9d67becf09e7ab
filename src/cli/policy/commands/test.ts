/**
 * `policy test`: runs the cases, and measures how much of the policy's boundary they cover.
 *
 * @module
 */
import { type Case, type CaseFile, runCases } from "../../../policy/analysis/cases.ts";
import { type Command, EXIT, type Io } from "../../../policy/command.ts";
import { caseOf, type Coverage, coverageOf, fileOf } from "../../../policy/analysis/coverage.ts";
import { readCases } from "../../../policy/lint/files.ts";
import { normalize, type NormalPolicy } from "../../../policy/analysis/normal.ts";
import { POLICY_USAGE, readChosenPolicy } from "../inputs.ts";
import { readChoice, readOptions } from "../options.ts";
import { CASES } from "../../../policy/lint/paths.ts";
import { readSource } from "../../../policy/lint/source.ts";
import { printJson } from "../../../policy/lint/print_json.ts";
import { outcomesToText, type PlaceOf } from "../../../policy/report/outcomes.ts";
import { count, createPaint } from "../../../policy/report/text.ts";

export const command: Command = {
  name: "test",
  summary: "Run the cases of policy/cases, and check that they cover every rule",
  usage: [`test [--fill] [--format text|json] [FILE | ${POLICY_USAGE.slice(1, -1)}]`],
  async run(args, io) {
    const grammar = { values: ["policy", "format"], flags: ["fill"], words: [0, 1] } as const;
    const options = readOptions(args, grammar);
    const format = readChoice(options, { name: "format", choices: ["text", "json"] });
    const { policy } = await readChosenPolicy(io, options, options.words[0]);
    const normal = normalize(policy);
    const files = await readCases(io);
    const outcomes = runCases(files, normal);
    const coverage = coverageOf(outcomes, normal);
    if (options.flags.has("fill")) return await fill(coverage, { files, normal, io });
    io.out(
      format === "json"
        ? toJson({ outcomes, coverage, normal })
        : outcomesToText({ outcomes, coverage }, {
          ...{ normal, paint: createPaint(io.color) },
          placeOf: await findPlaces(files, io),
        }),
    );
    const good = coverage.missing.length === 0 && outcomes.every(({ passed }) => passed);
    return good ? EXIT.good : EXIT.findings;
  },
};

/** Reads the files again for their positions, which the cases do not have. */
async function findPlaces(files: readonly CaseFile[], io: Io): Promise<PlaceOf> {
  const entries = await Promise.all(files.map(async ({ file, cases }) => {
    const source = readSource(file, await io.read(file));
    return cases.map((one, index) => [one, source.valueAt(["cases", index])] as const);
  }));
  const spans = new Map(entries.flat());
  return ({ file, case: one }) => {
    const { line, column } = spans.get(one) ?? { line: 1, column: 1 };
    return `${file}:${line}:${column}`;
  };
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

interface Results {
  readonly outcomes: ReturnType<typeof runCases>;
  readonly coverage: Coverage;
  readonly normal: NormalPolicy;
}

function toJson({ outcomes, coverage, normal }: Results): string {
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
