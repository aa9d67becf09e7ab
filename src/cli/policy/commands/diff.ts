/**
 * `policy diff`: which tokens gain and lose what between two policies, and which guards fall.
 *
 * @module
 */
import { draftApproval } from "../../../policy/analysis/approval.ts";
import { type Command, EXIT, type Io } from "../../../policy/command.ts";
import { isConsented, type Review, reviewChange } from "../../../policy/analysis/review.ts";
import {
  findMain,
  readApprovals,
  readGuarded,
  type ReadPolicy,
} from "../../../policy/lint/guarded.ts";
import { readSource } from "../../../policy/lint/source.ts";
import { createPublishedFields, reportChange } from "../change_report.ts";
import { readTokenScopes, TOKEN_USAGE } from "../inputs.ts";
import { type Options, readChoice, readOptions } from "../options.ts";
import { LOG_USAGE, readTraffic } from "../traffic_input.ts";
import { POLICY } from "../../../policy/lint/paths.ts";
import {
  CHANGE_KINDS,
  changesToFindings,
  changesToJunitCases,
} from "../../../policy/report/change_findings.ts";
import { type ChangeReport, changesToText } from "../../../policy/report/changes.ts";
import { changesToComment } from "../../../policy/report/comment.ts";
import { curlsFor } from "../../../policy/report/curl.ts";
import { printJunit } from "../../../policy/report/junit.ts";
import { toAnnotations, toSarif } from "../../../policy/report/machine.ts";
import { ownersToText } from "../../../policy/report/owners.ts";
import { createPaint } from "../../../policy/report/text.ts";
import { normalize } from "../../../policy/analysis/normal.ts";

const FORMATS = [
  ...["text", "markdown", "json", "github", "sarif", "junit", "approval", "codeowners"] as const,
] as const;

interface Printing {
  readonly options: Options;
  readonly io: Io;
  readonly after: ReadPolicy;
  readonly routesShowing: (field: string) => ReadonlySet<string> | undefined;
}

const PRINT = {
  text: (report, { io }) => changesToText(report, createPaint(io.color)),
  markdown: (report, { options: { values }, after, routesShowing }) =>
    changesToComment({
      ...report,
      page: values.get("page"),
      curls: curlsFor(report.changes, {
        after: normalize(after.file.policy),
        url: (values.get("url") ?? "http://localhost:8000").replace(/\/$/, ""),
        routesShowing: (field) => routesShowing(field) ?? [],
      }),
    }),
  json: ({ notes, rules, clients, ...review }) => {
    const maps = { notes: Object.fromEntries(notes), rules: Object.fromEntries(rules) };
    return `${JSON.stringify({ ...review, ...maps, ...clients && { clients } }, null, 2)}\n`;
  },
  github: (report, { after }) => toAnnotations(changesToFindings(report, sourceOf(after))),
  sarif: (report, { after }) => toSarif(changesToFindings(report, sourceOf(after)), CHANGE_KINDS),
  junit: (report) => printJunit("policy diff", changesToJunitCases(report)),
  approval: ({ open, before, after }) => draftApproval(open, { before, after }),
  codeowners: ownersToText,
} satisfies Readonly<
  Record<typeof FORMATS[number], (report: ChangeReport, printing: Printing) => string>
>;

export const command: Command = {
  name: "diff",
  summary:
    "Show what changes between two policies; exit code 0: nothing, 2: needs approval, 4: narrower",
  usage: [
    `diff [OLD] [NEW] ${LOG_USAGE} [--format FORMAT] [--approve FILE|FOLDER …] [--gate]`,
    `FORMAT: ${FORMATS.join(", ")}`,
    "OLD and NEW are .json files, git revisions, or - for standard input",
    `OLD defaults to the branch main, NEW to ${POLICY}, --approve to policy/approvals`,
    "--log names a decision log: each gain and loss then lists its clients",
    `${TOKEN_USAGE} shows only what this token gains and loses`,
    "--gate also exits with 0 if the new policy is narrower",
    "--url SERVER and --page URL are for the commands and the link of --format markdown",
  ],
  async run(args, io) {
    const options = readOptions(args, {
      values: ["format", "url", "page", "scopes", "token"],
      lists: ["approve", "log"],
      flags: ["gate"],
      words: [0, 2],
    });
    const format = readChoice(options, { name: "format", choices: FORMATS });
    const [old = await findMain(io), fresh = POLICY] = options.words;
    const [before, after] = [await readGuarded(io, old), await readGuarded(io, fresh)];
    const paths = options.lists.get("approve");
    const review = reviewChange({
      before,
      after,
      today: io.today,
      ...(paths && { approvals: await readApprovals(io, paths) }),
    });
    const routesShowing = await createPublishedFields(io);
    const report = reportChange(review, {
      before,
      after,
      routesShowing,
      traffic: await readTraffic(options),
      token: await readToken(options, { after, io }),
    });
    io.out(PRINT[format](report, { options, io, after, routesShowing }));
    const code = exitOf(review);
    return code === EXIT.narrower && options.flags.has("gate") ? EXIT.good : code;
  },
};

function sourceOf({ name, text }: ReadPolicy) {
  return readSource(name, text);
}

function readToken(
  options: Options,
  { after, io }: { readonly after: ReadPolicy; readonly io: Io },
): Promise<ReadonlySet<string> | undefined> {
  const { values } = options;
  if (!values.has("scopes") && !values.has("token")) return Promise.resolve(undefined);
  return readTokenScopes(options, { policy: after.file.policy, io });
}

/** Effects that somebody agreed to do not count. */
function exitOf(review: Review): number {
  if (!isConsented(review)) return EXIT.wider;
  return review.changes.some(({ losses }) => losses.length > 0) ? EXIT.narrower : EXIT.good;
}
