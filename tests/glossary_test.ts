/**
 * One word per concept: the words that the glossary retired do not come back as names.
 *
 * @module
 */
import { assertEquals } from "./assert.ts";
import { walkSources } from "./support/sources.ts";

/** Words of names that `docs/glossary.md` replaced. */
const RETIRED = new Set([
  ...["asker", "catalog", "desk", "drawn", "enrol", "fault", "faults", "leftover", "leftovers"],
  ...["meant", "misfit", "realm", "remark", "ruling", "shelf", "stow"],
  ...["turns", "witness", "witnesses", "world"],
]);

/** The words of an identifier or a file name, in lower case. */
function wordsOf(name: string): string[] {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z0-9]+/);
}

/** Names that a file declares, at its margin or in its interfaces. */
function declared(text: string): string[] {
  const declarations = text.matchAll(
    /^(?:export )?(?:async )?(?:function\*?|const|let|class|interface|type) ([A-Za-z_$][\w$]*)/gm,
  );
  const members = text.matchAll(/^ {2}(?:readonly )?([A-Za-z_$][\w$]*)\??[:(]/gm);
  return [...declarations, ...members].map(([, name = ""]) => name);
}

function retiredIn(name: string): boolean {
  return wordsOf(name).some((word) => RETIRED.has(word));
}

Deno.test("no file and no declaration has a name that the glossary retired", () => {
  const found = [...walkSources("src")].flatMap(({ path, text }) => [
    ...(retiredIn(path) ? [path] : []),
    ...declared(text).filter(retiredIn).map((name) => `${path}: ${name}`),
  ]);
  assertEquals(found, []);
});

Deno.test("every word that is refused stands in the glossary", async () => {
  const glossary = (await Deno.readTextFile("docs/glossary.md")).toLowerCase();
  const missing = [...RETIRED].filter((word) => !glossary.includes(word.replace(/(es|s)$/, "")));
  assertEquals(missing, []);
});

Deno.test("a comment on a declaration begins with its subject, not with what or whether", () => {
  const sources = [...walkSources("src"), ...walkSources("tests")];
  const found = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\/\*\*\s+(?:\* )?((?:What|Whether|Where|Of|Told|Those) .*)/g)]
      .map(([, comment]) => `${path}: ${comment}`)
  );
  assertEquals(found, []);
});
