/**
 * Replaces the lines of a file that a diff marks with `-` by those that it marks with `+`. The diffs
 * of the pages have no line numbers, so the lines must be in the file once.
 *
 * @module
 */
if (import.meta.main) {
  const [diff = "", file = ""] = Deno.args;
  const lines = (await Deno.readTextFile(diff)).trimEnd().split("\n");
  const before = await Deno.readTextFile(file);
  const parts = before.split(side(lines, "-"));
  if (parts.length !== 2) throw new Error(`${file} has these lines ${parts.length - 1} times`);
  await Deno.writeTextFile(file, parts.join(side(lines, "+")));
}

function side(lines: readonly string[], mark: string): string {
  return lines.filter((line) => line.startsWith(mark)).map((line) => `${line.slice(1)}\n`).join("");
}
