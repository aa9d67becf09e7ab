/**
 * Names as people write them: patterns, and sets in words.
 *
 * @module
 */
/** Of these names, those that a pattern means; `*` stands for any characters, also for none. */
export function matching(pattern: string, names: Iterable<string>): string[] {
  const [start = "", ...others] = pattern.split("*");
  const end = others.pop();
  if (end === undefined) return [...names].filter((name) => name === pattern);
  return [...names].filter((name) =>
    name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end) &&
    standsInOrder(others, name.slice(start.length, name.length - end.length))
  );
}

/** Whether a text has these parts one behind the other; the first place of each leaves most room. */
function standsInOrder(parts: readonly string[], text: string): boolean {
  let from = 0;
  for (const part of parts) {
    const place = text.indexOf(part, from);
    if (place < 0) return false;
    from = place + part.length;
  }
  return true;
}

/** Scopes that are all held, in words. */
export function inWords(scopes: readonly string[]): string {
  return scopes.length === 0 ? "no scope" : scopes.join(" + ");
}

/** Alternatives, in words. */
export function anyInWords(sets: readonly (readonly string[])[]): string {
  if (sets.length === 0) return "nobody";
  if (sets.some((set) => set.length === 0)) return "everyone, without a token";
  return sets.map(inWords).join(", or ");
}
