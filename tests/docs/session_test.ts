import { assertEquals, assertStringIncludes } from "../assert.ts";
import { withFolder } from "../support/folders.ts";
import { readSteps } from "./page.ts";
import { createRepository, type Failure, runSteps } from "./session.ts";

const FENCE = "```";

/** Runs a page in a clone of a repository with one file. */
async function run(page: string): Promise<Failure | undefined> {
  let failure: Failure | undefined;
  await withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/source`);
    await Deno.writeTextFile(`${folder}/source/shop.json`, '{\n  "open": false\n}\n');
    const repository = await createRepository(`${folder}/source`, folder);
    failure = await runSteps(readSteps(page.replaceAll("'''", FENCE)), repository);
  });
  return failure;
}

Deno.test("blocks share a session, and files of the clone", async () => {
  const page = `'''sh\nGREETING=Hello\ncat shop.json\n'''\n\n'''json\n{ "open": false }\n'''\n
'''sh\necho "$GREETING"\n'''\n\n'''text\nHello\n'''\n`;
  assertEquals(await run(page), undefined);
});

Deno.test("another output than the page shows is a failure with its line", async () => {
  const failure = await run(
    "'''sh\necho one\n'''\n\nThen:\n\n'''sh\necho two\n'''\n\n'''text\nthree\n'''\n",
  );
  assertEquals(failure?.line, 7);
  assertStringIncludes(failure?.message ?? "", "printed\ntwo\n");
});

Deno.test("a command that fails in the middle of a block is a failure", async () => {
  const failure = await run("'''sh\ntrue\nls missing | cat\ntrue\n'''\n");
  assertEquals(failure?.line, 1);
  assertStringIncludes(failure?.message ?? "", "missing");
});

Deno.test("a console may show a failure, with its exit code", async () => {
  assertEquals(await run("'''console\n$ false; echo $?\n1\n$ echo ok\nok\n'''\n"), undefined);
  assertEquals((await run("'''console\n$ false; echo $?\n0\n'''\n"))?.line, 1);
});

Deno.test("a diff is applied, and refused if the file does not have its lines", async () => {
  const diff = "'''diff shop.json\n-  \"open\": false\n+  \"open\": true\n'''\n";
  const shown = "'''sh\ncat shop.json\n'''\n\n'''json\n{ \"open\": true }\n'''\n";
  assertEquals(await run(`${diff}\n${shown}`), undefined);
  assertEquals((await run(`${diff}\n${diff}`))?.line, 6);
});

Deno.test("git clone REPOSITORY clones the sources", async () => {
  assertEquals(
    await run("'''sh\ngit clone --quiet REPOSITORY again && cd again\ntest -f shop.json\n'''\n"),
    undefined,
  );
});

Deno.test("services that a page names have stand-ins", async () => {
  const page = `'''sh\ncurl -sS -X PUT -d Hello https://s3.example/bucket/a\n
curl -sS https://s3.example/bucket/a\n'''\n\n'''text\nHello\n'''\n`;
  assertEquals(await run(page), undefined);
});

Deno.test("what the reader has to fill in is what an earlier comment set", async () => {
  const page = "'''sh\nKEY=key_…\necho \"$KEY\"\n'''\n\n'''text\nkey_1\n'''\n";
  assertEquals(await run(`<!-- run: KEY=key_1 -->\n\n${page}`), undefined);
  assertStringIncludes((await run(page))?.message ?? "", "KEY");
});
