/**
 * `policy init`: writes a policy for another service from its OpenAPI document.
 *
 * @module
 */
import { parse as parseYaml } from "@std/yaml/parse";
import { type Command, EXIT, UsageError } from "../../../policy/command.ts";
import { createPolicy } from "../../../policy/init.ts";
import { FileError } from "../../../policy/issue.ts";
import { SERVICE } from "../../../policy/service_names.ts";
import { toVisible } from "../../../shared/visible_text.ts";
import { readOptions } from "../options.ts";

export const command: Command = {
  name: "init",
  summary: "Write a policy for another service, from the security of its OpenAPI document",
  usage: [
    "init OPENAPI.json|OPENAPI.yaml [--service NAME] [--prefix /PATH] > orders.json",
    "The gateway decides by it: see docs/gateway.md",
  ],
  async run(args, io) {
    const options = readOptions(args, { values: ["service", "prefix"], words: [1, 1] });
    const [file = ""] = options.words;
    const service = options.values.get("service") ??
      file.replace(/^.*\//, "").replace(/\.\w+$/, "").replaceAll(/[^\w.-]/g, "-");
    if (!SERVICE.test(service)) {
      throw new UsageError(
        `--service is letters, digits, dots, - and _: ${JSON.stringify(service)}`,
      );
    }
    const prefix = options.values.get("prefix");
    if (prefix !== undefined && !prefix.startsWith("/")) {
      throw new UsageError(`--prefix begins with a slash: ${JSON.stringify(prefix)}`);
    }
    const document = parseDocument(await io.read(file), file);
    const { text, notices } = createPolicy({
      document,
      service,
      ...(prefix !== undefined && { prefix }),
    });
    for (const notice of notices) io.err(`${toVisible(notice)}\n`);
    io.out(text);
    return EXIT.good;
  },
};

/** JSON is YAML, and much faster to read as JSON. */
function parseDocument(text: string, file: string): unknown {
  const document = parseText(text, file);
  const isDocument = typeof document === "object" && document !== null && "paths" in document;
  if (!isDocument) throw new FileError(`${file} is not an OpenAPI document: it has no "paths"`);
  return document;
}

function parseText(text: string, file: string): unknown {
  try {
    return /^\s*\{/.test(text) ? JSON.parse(text) : parseYaml(text);
  } catch (error) {
    throw new FileError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
