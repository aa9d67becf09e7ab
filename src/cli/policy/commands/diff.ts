/**
 * `policy diff`: which tokens gain and lose what between two policies, and which guards fall.
 *
 * @module
 */
import { draftApproval } from "../../../policy/analysis/approval.ts";
import { type Command, EXIT, type Io } from "../../../policy/command.ts";
import { isConsented, type Review, reviewChange } from "../../../policy/analysis/review.ts";
import { findMain, readApprovals, readGuarded } from "../../../policy/lint/guarded.ts";
import { readChoice, readOptions } from "../options.ts";
import { POLICY } from "../../../policy/lint/paths.ts";
import {
  type ChangeReport,
  changesToMarkdown,
  changesToText,
} from "../../../policy/report/changes.ts";
import { ownersToText } from "../../../policy/report/owners.ts";
import { createPaint } from "../../../policy/report/text.ts";

const FORMATS = ["text", "markdown", "json", "approval", "codeowners"] as const;

const PRINT = {
  text: (report, { color }) => changesToText(report, createPaint(color)),
  markdown: changesToMarkdown,
  json: (report) => `${JSON.stringify({ ...report, notes: undefined }, null, 2)}\n`,
  approval: ({ open, before, after }) => draftApproval(open, { before, after }),
  codeowners: ownersToText,
} satisfies Readonly<Record<typeof FORMATS[number], (report: ChangeReport, io: Io) => string>>;

export const command: Command = {
  name: "diff",
  summary:
    "Show what changes between two policies; exit code 0: nothing, 2: needs approval, 4: narrower",
  usage: [
    `diff [OLD] [NEW] [--format ${FORMATS.join("|")}] [--approve FILE|FOLDER …] [--gate]`,
    "OLD and NEW are .json files, git revisions, or - for standard input",
    `OLD defaults to the branch main, NEW to ${POLICY}, --approve to policy/approvals`,
    "--gate also exits with 0 if the new policy is narrower",
  ],
  async run(args, io) {
    const options = readOptions(args, {
      values: ["format"],
      lists: ["approve"],
      flags: ["gate"],
      words: [0, 2],
    });
    const format = readChoice(options, { name: "format", choices: FORMATS });
    const [old = await findMain(io), fresh = POLICY] = options.words;
    const [before, after] = [await readGuarded(io, old), await readGuarded(io, fresh)];
    const paths = options.lists.get("approve");
    const review = reviewChange({
      ...{ before, after, today: io.today },
      ...(paths && { approvals: await readApprovals(io, paths) }),
    });
    const notes = new Map([...before.file.notes, ...after.file.notes]);
    io.out(PRINT[format]({ ...review, notes }, io));
    const code = exitOf(review);
    return code === EXIT.narrower && options.flags.has("gate") ? EXIT.good : code;
  },
};

/** Effects that somebody agreed to do not count. */
function exitOf(review: Review): number {
  if (!isConsented(review)) return EXIT.wider;
  return review.changes.some(({ losses }) => losses.length > 0) ? EXIT.narrower : EXIT.good;
}
