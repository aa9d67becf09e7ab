/**
 * Returns a text as one line: each line end, with the white space and the empty lines around it, is a
 * space. A pattern for this would be tried at every space.
 *
 * @module
 */
export function oneLine(text: string): string {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "").join(" ");
}
