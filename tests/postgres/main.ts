/**
 * `deno task test:postgres`: the suite of the store and the tests of the API on PostgreSQL, with the
 * tests that need a server of their own.
 *
 * @module
 */
import { startCluster } from "./cluster.ts";

const PATHS = ["tests/postgres", "tests/api"];

await using cluster = await startCluster();
const { code } = await new Deno.Command(Deno.execPath(), {
  args: [
    ...["test", "--no-prompt", "--parallel", "--allow-net=127.0.0.1,localhost", "--allow-read"],
    ...[
      "--allow-write",
      "--allow-run",
      "--allow-sys=uid",
      "--allow-env=TEST_DATABASE_URL,PGAPPNAME,PGTARGETSESSIONATTRS",
    ],
    ...(Deno.args.length > 0 ? Deno.args : PATHS),
  ],
  env: { TEST_DATABASE_URL: cluster.url },
  stdout: "inherit",
  stderr: "inherit",
}).output();
Deno.exitCode = code;
