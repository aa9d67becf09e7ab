/**
 * `not-served`: the server's own errors about the files, if no other rule covers them.
 *
 * @module
 */
import type { ServedFiles } from "../command.ts";
import { type Finding, type FindingKind, toFinding } from "./finding.ts";

export const NOT_SERVED: FindingKind = {
  code: "not-served",
  summary: "The server would not start with these files",
};

/** Returns a finding for each of the server's sentences, in the file that the sentence begins with. */
export function toNotServed(
  sentences: readonly string[],
  { texts, paths }: { readonly texts: ServedFiles; readonly paths: ServedFiles },
): Finding[] {
  const span = { line: 1, column: 1, length: 1 };
  return sentences.map((message) => {
    const about = (["document", "meta"] as const).find((part) => message.startsWith(paths[part]));
    const part = about ?? "policy";
    const source = { file: paths[part], lines: texts[part].split("\n") };
    return toFinding({ span, message }, { code: NOT_SERVED.code, level: "error", source });
  });
}
