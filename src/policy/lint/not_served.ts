/**
 * `not-served`: what the server itself says of the files, where no other rule has a word for it.
 *
 * @module
 */
import type { Served } from "../command.ts";
import { type Finding, toFinding } from "./finding.ts";

export const NOT_SERVED = "not-served";

/** A finding for each of the server's sentences, in the file that the sentence begins with. */
export function toNotServed(
  sentences: readonly string[],
  { texts, paths }: { readonly texts: Served; readonly paths: Served },
): Finding[] {
  const span = { line: 1, column: 1, length: 1 };
  return sentences.map((message) => {
    const about = (["document", "meta"] as const).find((part) => message.startsWith(paths[part]));
    const part = about ?? "policy";
    const source = { file: paths[part], text: texts[part] };
    return toFinding({ span, message }, { code: NOT_SERVED, level: "error", source });
  });
}
