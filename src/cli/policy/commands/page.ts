/**
 * `policy page`: writes the policy as one HTML page.
 *
 * @module
 */
import { type Command, EXIT, type Io, UsageError } from "../../../policy/command.ts";
import { reviewChange } from "../../../policy/analysis/review.ts";
import { readCases, readPublished, withFileName } from "../../../policy/lint/files.ts";
import { readGuarded, readWorkingApprovals } from "../../../policy/lint/guarded.ts";
import type { PageBase } from "../../../policy/page/model.ts";
import { renderPage } from "../../../policy/page/render_page.ts";
import { PAGE } from "../../../policy/lint/paths.ts";
import { parsePolicyFile, type Policy } from "../../../policy/schema.ts";
import { type ChangeReportOptions, createPublishedFields, reportChange } from "../change_report.ts";
import { readPolicyInput, readTokenScopes, TOKEN_USAGE } from "../inputs.ts";
import { type Options, readOptions } from "../options.ts";
import { LOG_USAGE, readTraffic } from "../traffic_input.ts";

export const command: Command = {
  name: "page",
  summary: "Write the policy as one HTML page to read, to try tokens and rules on, and to print",
  usage: [
    `page [--base REVISION|FILE] ${LOG_USAGE} [--out PAGE.html] [FILE | --policy FILE|REVISION]`,
    `FILE is the policy to show; --out defaults to ${PAGE}, and - is standard output`,
    "--base also shows what changes since then; --log shows the traffic, and the clients of a change",
    `${TOKEN_USAGE} ticks the scopes of this token`,
  ],
  async run(args, io) {
    const options = readOptions(args, {
      values: ["base", "out", "policy", "scopes", "token"],
      lists: ["log"],
      words: [0, 1],
    });
    const out = readOut(options.values.get("out") ?? PAGE);
    const { name: file, text } = await readPolicyInput(io, options, options.words[0]);
    const html = await makePage(options, { file, text, io });
    if (out === STANDARD_OUTPUT) io.out(html);
    else {
      await io.write(out, html);
      io.out(`Wrote ${out}\n`);
    }
    return EXIT.good;
  },
};

async function makePage(
  options: Options,
  { file, text, io }: { readonly file: string; readonly text: string; readonly io: Io },
): Promise<string> {
  const own = withFileName(file, () => parsePolicyFile(text));
  const api = await readPublished(io);
  const cases = await readCases(io);
  const traffic = await readTraffic(options);
  const routesShowing = await createPublishedFields(io);
  const after = { file: own, cases, approvals: await readWorkingApprovals(io) };
  const base = options.values.get("base");
  const held = await readHeld(options, { policy: own.policy, io });
  return renderPage({
    text,
    file,
    cases,
    api,
    held,
    routesShowing,
    tokens: traffic?.tokens,
    base: base === undefined
      ? undefined
      : await compare(base, { after, traffic, routesShowing, io }),
  });
}

/** Compares with an earlier policy. */
async function compare(
  name: string,
  { io, ...options }: Omit<ChangeReportOptions, "before"> & { readonly io: Io },
): Promise<PageBase> {
  const before = await readGuarded(io, name);
  const review = reviewChange({ before, after: options.after, today: io.today });
  const report = reportChange(review, { before, ...options });
  return { name, policy: before.file.policy, report };
}

async function readHeld(
  options: Options,
  { policy, io }: { readonly policy: Policy; readonly io: Io },
): Promise<ReadonlySet<string> | undefined> {
  const { values } = options;
  if (!values.has("scopes") && !values.has("token")) return undefined;
  return await readTokenScopes(options, { policy, io });
}

const STANDARD_OUTPUT = "-";

/** Only pages are overwritten: any other file would be lost. */
function readOut(path: string): string {
  if (path === STANDARD_OUTPUT || path.endsWith(".html")) return path;
  throw new UsageError(`--out must end in .html: got ${JSON.stringify(path)}`);
}
