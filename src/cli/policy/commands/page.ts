/**
 * `policy page`: writes the policy as one HTML page.
 *
 * @module
 */
import { type Command, EXIT, UsageError } from "../../../policy/command.ts";
import {
  readCases,
  readPolicyAt,
  readPublished,
  withFileName,
} from "../../../policy/lint/files.ts";
import { readPolicyInput } from "../inputs.ts";
import { readOptions } from "../options.ts";
import { renderPage } from "../../../policy/page/render_page.ts";
import { PAGE } from "../../../policy/lint/paths.ts";

export const command: Command = {
  name: "page",
  summary: "Write the policy as one HTML page to read, to try tokens on and to print",
  usage: [
    "page [--base REVISION|FILE] [--out PAGE.html] [FILE | --policy FILE|REVISION]",
    `FILE is the policy to show; --out defaults to ${PAGE}, and - is standard output`,
  ],
  async run(args, io) {
    const options = readOptions(args, { values: ["base", "out", "policy"], words: [0, 1] });
    const out = readOut(options.values.get("out") ?? PAGE);
    const base = options.values.get("base");
    const { name: file, text } = await readPolicyInput(io, options, options.words[0]);
    const published = await readPublished(io);
    const cases = await readCases(io);
    const page = {
      ...{ text, file, cases },
      api: published,
      base: base === undefined
        ? undefined
        : { name: base, policy: (await readPolicyAt(io, base)).policy },
    };
    const html = withFileName(file, () => renderPage(page));
    if (out === STANDARD_OUTPUT) io.out(html);
    else {
      await io.write(out, html);
      io.out(`Wrote ${out}\n`);
    }
    return EXIT.good;
  },
};

const STANDARD_OUTPUT = "-";

/** Only pages are overwritten: any other file would be lost. */
function readOut(path: string): string {
  if (path === STANDARD_OUTPUT || path.endsWith(".html")) return path;
  throw new UsageError(`--out must end in .html: got ${JSON.stringify(path)}`);
}
