/**
 * `policy page`: writes the policy as one HTML page.
 *
 * @module
 */
import { type Command, EXIT } from "../../../policy/command.ts";
import { readCases, readPolicyAt, readPublished } from "../../../policy/lint/files.ts";
import { readOptions } from "../options.ts";
import { renderPage } from "../../../policy/page/render_page.ts";
import { PAGE, POLICY } from "../../../policy/lint/paths.ts";

export const command: Command = {
  name: "page",
  summary: "Write the policy as one HTML page to read, to try tokens on and to print",
  usage: [
    `page [--base REVISION|FILE] [FILE]`,
    `FILE defaults to ${PAGE}; - writes to standard output`,
  ],
  async run(args, io) {
    const options = readOptions(args, { values: ["base"], words: [0, 1] });
    const [file = PAGE] = options.words;
    const base = options.values.get("base");
    const text = renderPage({
      text: await io.read(POLICY),
      file: POLICY,
      api: await readPublished(io),
      cases: await readCases(io),
      base: base === undefined
        ? undefined
        : { name: base, policy: (await readPolicyAt(io, base)).policy },
    });
    if (file === "-") io.out(text);
    else {
      await io.write(file, text);
      io.out(`Wrote ${file}\n`);
    }
    return EXIT.good;
  },
};
