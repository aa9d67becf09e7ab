/**
 * Requests of the API tests, and what was answered.
 *
 * @module
 */
import { assert } from "../assert.ts";
import { type Exchange, exchangesFolder, readExchanges, type RecordedFolder } from "./exchanges.ts";

/**
 * Returns the exchanges of the tests in these folders. If `EXCHANGES` names a folder, a run of the tests
 * has recorded them there; otherwise the tests run now, and all of them must pass.
 */
export async function exchangesOf(tests: readonly RecordedFolder[]): Promise<Exchange[]> {
  const recorded = exchangesFolder();
  return recorded === undefined ? await recordTests(tests) : await readExchanges(recorded, tests);
}

async function recordTests(tests: readonly RecordedFolder[]): Promise<Exchange[]> {
  const folder = await Deno.makeTempDir({ prefix: "recto-exchanges-" });
  try {
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["test", "--config", "tests/deno.json", "--no-prompt", "--no-check", "--parallel"],
        ...["--allow-read", "--allow-write", "--allow-run", "--allow-net=127.0.0.1,localhost"],
        ...["--allow-env=EXCHANGES", ...tests],
      ],
      env: { EXCHANGES: folder, NO_COLOR: "1" },
      stderr: "null",
    }).output();
    assert(success, new TextDecoder().decode(stdout));
    return await readExchanges(folder, tests);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
