/**
 * Changes the lines of a Markdown text outside its code and front matter.
 *
 * @module
 */

/** Divides front matter from a text; `""` if there is none. */
export function splitFrontMatter(text: string): { readonly matter: string; readonly rest: string } {
  const [matter = ""] = /^---[ \t]*\n(?:[^]*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text) ?? [];
  return { matter, rest: text.slice(matter.length) };
}

/** Replaces each line outside fenced code by others. */
export function mapLines(
  text: string,
  replace: (line: string) => string | readonly string[],
): string {
  let fence: string | undefined;
  return text.split("\n").flatMap((line) => {
    const [, mark] = /^[\s>]*(?:[-*+] +)?(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined) {
      fence = mark;
      return mark === undefined ? replace(line) : line;
    }
    if (mark?.startsWith(fence) && /^[\s>]*[`~]+\s*$/.test(line)) fence = undefined;
    return line;
  }).join("\n");
}
