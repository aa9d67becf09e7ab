import { checkBundle, readTexts } from "../../src/policy_runtime/policy_bundle.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { PAGE, policyText, routes, textsOf } from "./support.ts";

const paths = { policy: "scopes.json", document: "openapi.json", meta: "meta.json" };
const texts = await textsOf(policyText());

async function issues(changed: Partial<typeof texts>): Promise<readonly string[]> {
  const checked = await checkBundle({ ...texts, ...changed }, { paths, routes });
  return checked.ok ? [] : checked.issues;
}

Deno.test("checkBundle() accepts a policy with a matching document", async () => {
  assertEquals(await issues({}), []);
});

Deno.test("checkBundle() rejects every truncation of each file", async () => {
  for (const name of ["policy", "document", "meta"] as const) {
    const text = texts[name].trimEnd();
    for (let end = 0; end < text.length; end += name === "policy" ? 1 : 7) {
      const found = await issues({ [name]: text.slice(0, end) });
      assert(found.length > 0, `${name} to ${end}`);
    }
  }
});

Deno.test("checkBundle() rejects a valid policy with a document that differs", async () => {
  const wider = policyText(({ routes }) =>
    routes[PAGE] = { anyOf: [["pages.read"], ["blocks.read"]] }
  );
  assertStringIncludes((await issues({ policy: wider })).join(), `differ on "${PAGE}"`);
  const { document, meta } = await textsOf(wider);
  assertEquals(await issues({ policy: wider, document, meta }), []);
});

Deno.test("checkBundle() rejects a policy whose fields differ", async () => {
  const shown = policyText(({ fields }) =>
    fields["user.person.email"] = { anyOf: [["users.email.read"], ["users.read"]] }
  );
  assertStringIncludes((await issues({ policy: shown })).join(), "differ beyond the routes");
});

Deno.test("checkBundle() accepts an equivalent policy in another order", async () => {
  const reworded = policyText((raw) => {
    raw.routes = Object.fromEntries(Object.entries(raw.routes).reverse());
    raw.scopes["pages.read"] = "See pages.";
  });
  assertEquals(await issues({ policy: reworded }), []);
});

Deno.test("checkBundle() rejects JSON that is not a document, and reports the issues of both files", async () => {
  const document = '{"paths":{"/a":null}}';
  const meta = (await textsOf(policyText())).meta;
  const found = await issues({ policy: "{}", document, meta });
  assert(found.some((issue) => issue.startsWith("scopes.json: ")), found.join("\n"));
  assert(found.some((issue) => issue.startsWith("meta.json does not belong to openapi.json")));
});

Deno.test("readTexts() names each unreadable file, the reason, and what writes a missing one", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  await Deno.writeTextFile(`${folder}/a`, "x");
  const read = await readTexts({ policy: `${folder}/a`, document: `${folder}/b`, meta: folder });
  assert(!read.ok);
  assertEquals(read.issues.length, 2);
  assertEquals(
    read.issues[0],
    `${folder}/b does not exist: run \`RECTO_POLICY_FILE=${folder}/a deno task spec\``,
  );
  assertStringIncludes(read.issues[1] ?? "", `${folder} cannot be read: `);
  await Deno.remove(folder, { recursive: true });
});
