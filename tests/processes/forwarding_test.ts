import { assertEquals } from "../assert.ts";
import { withFolder } from "../support/folders.ts";

/** Runs a program that forwards requests over a socket; returns what it prints. */
async function runForwarding(program: string): Promise<string> {
  let printed = "";
  await withFolder(async (folder) => {
    const path = `${folder}/recto.sock`;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--no-prompt", "--config", "tests/deno.json"],
        // Deno refuses to look up a name without the permission for it.
        ...[`--allow-net=127.0.0.1,unix:${path}`, `--allow-read=${path}`, `--allow-write=${path}`],
        ...[`tests/processes/${program}`, path],
      ],
      stderr: "inherit",
    }).output();
    printed = new TextDecoder().decode(stdout);
  });
  return printed;
}

Deno.test("requests reach the primary without looking up a name", async () => {
  assertEquals(await runForwarding("forward_once.ts"), "http://recto.example/v2/pages 1,2\n");
});

Deno.test("the longest URL and fields reach the primary, whatever their characters", async () => {
  const sent = ["a", '"', "\\", "…", "😀"].flatMap((character) =>
    ['"', "é", "\\", "ÿ", "a"].map((letter) => `${character} ${letter} arrived\n`)
  );
  assertEquals(await runForwarding("forward_longest.ts"), sent.join(""));
});
