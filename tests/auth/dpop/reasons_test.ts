import { assert, assertEquals } from "../../assert.ts";

const FOLDER = "src/auth/dpop";

Deno.test("docs/tokens.md lists why a proof is refused in the words of the service", async () => {
  const files = [...Deno.readDirSync(FOLDER)].map(({ name }) => `${FOLDER}/${name}`);
  const sources = (await Promise.all(files.map((file) => Deno.readTextFile(file)))).join();
  const [, section = ""] = (await Deno.readTextFile("docs/tokens.md")).split("| description ");
  const told = [...section.split("\n## ")[0]?.matchAll(/^\| `(The [^`]+)`/gm) ?? []];
  const reasons = told.map(([, reason]) => reason);
  assert(reasons.length > 0);
  const isUnknown = (reason = "") => !sources.includes(reason.replace(/…$/, ""));
  assertEquals(reasons.filter(isUnknown), []);
});
