/**
 * `policy prove`: writes a certificate that others can verify.
 *
 * @module
 */
import { type Certificate, certify } from "../../../policy/analysis/certificate.ts";
import { type Command, EXIT, UsageError } from "../../../policy/command.ts";
import { printJson } from "../../../policy/lint/print_json.ts";
import { POLICY_USAGE, readChosenPolicy } from "../inputs.ts";
import { readOptions } from "../options.ts";

export const command: Command = {
  name: "prove",
  summary: "Write a certificate of what the policy decides, for others to verify without this code",
  usage: [
    `prove ${POLICY_USAGE} [--out CERTIFICATE.json]`,
    "To verify it: node policy/verify_certificate.mjs policy/scopes.json CERTIFICATE.json",
  ],
  async run(args, io) {
    const options = readOptions(args, { values: ["policy", "out"] });
    const out = options.values.get("out");
    if (out !== undefined && out === options.values.get("policy")) {
      throw new UsageError(`--out would overwrite the policy ${out}`);
    }
    const certificate = certify(await readChosenPolicy(io, options));
    const text = printJson(certificate, { spread: (path) => path.length < 2 });
    if (out === undefined) io.out(text);
    else {
      await io.write(out, text);
      io.out(`Wrote ${out}\n`);
    }
    for (const line of refutations(certificate)) io.err(`${line}\n`);
    return certificate.statements.every(({ holds }) => holds) ? EXIT.good : EXIT.findings;
  },
};

function refutations({ statements }: Certificate): string[] {
  return statements.filter(({ holds }) => !holds)
    .map(({ statement }) => `The statement "${statement.name}" is false`);
}
