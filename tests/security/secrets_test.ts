import { assert, assertEquals } from "../assert.ts";

/** Code that makes a value with a secret, which a caller may try to find by timing refusals. */
const MADE = /\bcreateHmac\(/;
/** A comparison that ends at the first byte that differs. */
const EARLY =
  /(?:===|!==|==|!=|\.equals\(|\.startsWith\(|\.compare\()\s*(?:expected|signature)\b(?!\.length)/;

const NONCES = "src/auth/dpop/nonces.ts";
/** Makes names for logs, which no client sends back. */
const PSEUDONYM = "src/auth/pseudonym.ts";

function sources(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return sources(`${folder}/${name}`);
    return name.endsWith(".ts") ? [`${folder}/${name}`] : [];
  });
}

Deno.test("Case 38: what is made with a secret is compared in constant time, and with nothing else before", () => {
  const makers = sources("src").map((path) => ({ path, text: Deno.readTextFileSync(path) }))
    .filter(({ path, text }) => MADE.test(text) && path !== PSEUDONYM).sort((a, b) =>
      a.path < b.path ? -1 : 1
    );
  assertEquals(makers.map(({ path }) => path), [NONCES, "src/files/signing.ts"]);
  for (const { path, text } of makers) {
    const [before = "", ...after] = text.split(/timingSafeEqual\((?!,)/);
    assertEquals(after.length, 1, `${path} compares once`);
    const body = before.slice(before.lastIndexOf("function"));
    assert(!EARLY.test(body), `${path} compares in constant time before anything else`);
  }
});

Deno.test("Case 38: signatures of tokens and seals of cursors are checked by the libraries alone", () => {
  const byHand = sources("src/auth").filter((path) =>
    /createVerify|subtle\.(?:sign|verify)|createHmac|timingSafeEqual/.test(
      Deno.readTextFileSync(path),
    )
  );
  // It signs nothing that a client makes; the test above is about it.
  assertEquals(byHand.sort(), [NONCES, PSEUDONYM]);
  const cursor = Deno.readTextFileSync("src/http/cursor.ts");
  assert(cursor.includes("setAuthTag(") && !EARLY.test(cursor));
});
