import { succeed } from "../../api/driver.ts";
import { tokenOf } from "../../api/every_type.ts";
import { assertEquals } from "../../assert.ts";
import { type TestApp, withApp } from "../../support/app.ts";
import { documentsIn } from "./documents.ts";
import { createEverything } from "./everything.ts";
import { withTransfer } from "./transfer_driver.ts";

/** Users have the same IDs wherever they come from the same issuer. */
async function signIn(app: TestApp, ...names: string[]): Promise<void> {
  for (const name of names) {
    await succeed(app, "GET /v2/users/me", { token: await tokenOf(app, name) });
  }
}

Deno.test("a workspace with everything, exported as JSON lines and imported, has equal documents", () =>
  withTransfer(async ({ folder, exportTo, importInto }) => {
    await withApp(async (app) => {
      await createEverything(app);
      const { code, stdout } = await exportTo(app, "a", "--format", "jsonl");
      assertEquals(code, 0, stdout);
    });
    await withApp(async (app) => {
      await signIn(app, "Ann", "Bob");
      const { code, stdout, stderr } = await importInto(app, "a");
      assertEquals(code, 0, stdout + stderr);
      await exportTo(app, "b", "--format", "jsonl");
    });
    const [before, after] = [await documentsIn(`${folder}/a`), await documentsIn(`${folder}/b`)];
    assertEquals(after.length, before.length);
    for (const [index, document] of before.entries()) assertEquals(after[index], document);
  }));
