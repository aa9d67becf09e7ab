/**
 * Runs tests in a process of their own, and returns what the API was asked in them.
 *
 * @module
 */
import { assert } from "../assert.ts";
import { type Exchange, readExchanges } from "./exchanges.ts";

/** Returns the exchanges of the tests in these folders, all of which must pass. */
export async function recordTests(folders: readonly string[]): Promise<Exchange[]> {
  const folder = await Deno.makeTempDir({ prefix: "recto-exchanges-" });
  try {
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["test", "--config", "tests/deno.json", "--no-prompt", "--no-check", "--parallel"],
        ...["--allow-read", "--allow-write", "--allow-run", "--allow-net=127.0.0.1,localhost"],
        ...["--allow-env=EXCHANGES", ...folders],
      ],
      env: { EXCHANGES: folder, NO_COLOR: "1" },
      stderr: "null",
    }).output();
    assert(success, new TextDecoder().decode(stdout));
    return await readExchanges(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
