import { assertEquals } from "../assert.ts";
import { withFolder } from "../support/folders.ts";

Deno.test("requests reach the primary without looking up a name", () =>
  withFolder(async (folder) => {
    const path = `${folder}/recto.sock`;
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--no-prompt", "--config", "tests/deno.json"],
        // Deno refuses to look up a name without the permission for it.
        ...[`--allow-net=127.0.0.1,unix:${path}`, `--allow-read=${path}`, `--allow-write=${path}`],
        ...["tests/processes/forward_once.ts", path],
      ],
      stderr: "inherit",
    }).output();
    assertEquals([code, new TextDecoder().decode(stdout)], [
      0,
      "http://recto.example/v2/pages 1,2\n",
    ]);
  }));
