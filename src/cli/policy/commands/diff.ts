/**
 * `policy diff`: which tokens gain and lose what, between two policies.
 *
 * @module
 */
import { draftApproval, parseApproval, unapproved } from "../../../policy/analysis/approval.ts";
import { type Command, EXIT, type Io } from "../../../policy/command.ts";
import { type Change, diffPolicies, effectOf } from "../../../policy/analysis/diff.ts";
import { digestOf } from "../../../policy/digest.ts";
import { readPolicyAt } from "../../../policy/lint/files.ts";
import { readChoice, readOptions } from "../options.ts";
import { POLICY } from "../../../policy/lint/paths.ts";
import {
  type ChangeReport,
  changesToMarkdown,
  changesToText,
} from "../../../policy/report/changes.ts";
import { createPaint } from "../../../policy/report/text.ts";

const FORMATS = ["text", "markdown", "json", "approval"] as const;

const PRINT = {
  text: (report, { color }) => changesToText(report, createPaint(color)),
  markdown: changesToMarkdown,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  approval: ({ open }) => draftApproval(open),
} satisfies Readonly<Record<typeof FORMATS[number], (report: ChangeReport, io: Io) => string>>;

export const command: Command = {
  name: "diff",
  summary: "Show what changes between two policies; exit code 0: nothing, 2: wider, 4: narrower",
  usage: [
    `diff OLD [NEW] [--format ${FORMATS.join("|")}] [--approve FILE]`,
    "OLD and NEW are .json files or git revisions; NEW defaults to policy/scopes.json",
  ],
  async run(args, io) {
    const options = readOptions(args, { values: ["format", "approve"], words: [1, 2] });
    const format = readChoice(options, { name: "format", choices: FORMATS });
    const [old = "", fresh = POLICY] = options.words;
    const [before, after] = [await readPolicyAt(io, old), await readPolicyAt(io, fresh)];
    const changes = diffPolicies(before.policy, after.policy);
    const report: ChangeReport = {
      effect: effectOf(changes),
      changes,
      open: await findOpen(changes, { file: options.values.get("approve"), io }),
      before: digestOf(before.policy),
      after: digestOf(after.policy),
    };
    io.out(PRINT[format](report, io));
    return exitOf(report);
  },
};

async function findOpen(
  changes: readonly Change[],
  { file, io }: { readonly file: string | undefined; readonly io: Io },
): Promise<Change[]> {
  if (file === undefined) return changes.filter(({ gains }) => gains.length > 0);
  return unapproved(changes, parseApproval(await io.read(file), file));
}

/** Approved gains do not count as wider. */
function exitOf({ changes, open }: ChangeReport): number {
  if (open.length > 0) return EXIT.wider;
  return changes.some(({ losses }) => losses.length > 0) ? EXIT.narrower : EXIT.good;
}
