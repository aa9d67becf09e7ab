import { importInto } from "../../../src/cli/import.ts";
import { append, newPage, paragraph, succeed, text } from "../../api/driver.ts";
import { newDatabase, newRow } from "../../api/database_driver.ts";
import { assert, assertEquals, assertStringIncludes } from "../../assert.ts";
import { type TestApp, withApp } from "../../support/app.ts";
import { documentsIn } from "../transfer/documents.ts";
import { createEverything } from "../transfer/everything.ts";
import { contextOf, withTransfer } from "../transfer/transfer_driver.ts";
import { createStandIn, type StandIn, VENDOR } from "./stand_in.ts";

interface Mirroring {
  readonly source: TestApp;
  readonly target: TestApp;
  readonly standIn: StandIn;
  /** Exports both, and compares the documents. */
  compare(): Promise<void>;
  mirror(...args: string[]): Promise<Awaited<ReturnType<typeof importInto>>>;
}

function withMirror(test: (mirroring: Mirroring) => Promise<void>): Promise<void> {
  return withTransfer(({ folder, exportTo }) =>
    withApp((source) =>
      withApp(async (target) => {
        const standIn = await createStandIn(source, target);
        const args = ["notion", "--from-url", VENDOR, "--from-token", await source.mint()]
          .concat(["--folder", `${folder}/mirror`, "--rate", "10000"]);
        const context = await contextOf(target);
        await test({
          source,
          target,
          standIn,
          mirror: (...more) =>
            importInto([...args, ...more], {
              ...context,
              fetch: standIn.fetch,
              sleep: () => Promise.resolve(),
            }),
          async compare() {
            await exportTo(source, "source", "--format", "jsonl");
            await exportTo(target, "target", "--format", "jsonl");
            const before = await documentsIn(`${folder}/source`);
            const after = await documentsIn(`${folder}/target`);
            assertEquals(after.map(({ place }) => place), before.map(({ place }) => place));
            for (const [index, document] of before.entries()) {
              assertEquals(after[index], document);
            }
          },
        });
      })
    )
  );
}

Deno.test("a live import brings everything over, and a second one requests next to nothing", () =>
  withMirror(async ({ source, mirror, compare }) => {
    await createEverything(source);
    const { code, stdout, stderr } = await mirror("--comments", "all");
    assertEquals(code, 0, stdout + stderr);
    await compare();
    const again = await mirror("--comments", "all");
    assertEquals(again.code, 0, again.stdout);
    await compare();
  }));
