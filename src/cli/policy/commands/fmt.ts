/**
 * `policy fmt`: formats the policy.
 *
 * @module
 */
import { type Command, EXIT } from "../../../policy/command.ts";
import { withFileName } from "../../../policy/lint/files.ts";
import { formatPolicy } from "../../../policy/lint/format.ts";
import { lineDiff } from "../../../policy/report/line_diff.ts";
import { readOptions } from "../options.ts";
import { POLICY } from "../../../policy/lint/paths.ts";

export const command: Command = {
  name: "fmt",
  summary: "Format the policy, without changing what it decides",
  usage: [
    "fmt [--check | --diff] [FILE | --policy FILE]",
    "--check and --diff write nothing; --diff shows the lines that would change",
  ],
  async run(args, io) {
    const { flags, values, words } = readOptions(args, {
      values: ["policy"],
      flags: ["check", "diff"],
      words: [0, 1],
    });
    const path = words[0] ?? values.get("policy") ?? POLICY;
    const text = await io.read(path);
    const formatted = withFileName(path, () => formatPolicy(text));
    if (text === formatted) {
      io.out(`${path} is formatted\n`);
      return EXIT.good;
    }
    if (flags.has("diff")) {
      io.out(`${path}\n${lineDiff(text, formatted)}`);
      return EXIT.findings;
    }
    if (flags.has("check")) {
      io.out(`${path} is not formatted. Run: recto policy fmt\n`);
      return EXIT.findings;
    }
    await io.write(path, formatted);
    io.out(`Wrote ${path}\n`);
    return EXIT.good;
  },
};
