/**
 * `deno task test:postgres`: runs the store's contract, the API tests, and tests with servers of
 * their own on PostgreSQL. `deno task test:pgvector`: runs the tests of vectors with pgvector for
 * all workspaces.
 *
 * @module
 */
import { startCluster } from "./cluster.ts";

const PATHS = [
  ...["tests/postgres", "tests/api", "tests/cli/transfer", "tests/cli/import"],
  ...["comments", "file_uploads", "page_additions"].map((name) => `tests/notion/${name}_test.ts`),
  "tests/security/moves_test.ts",
];
/** Need pgvector, or take long while nothing that they test depends on the store. */
const IGNORED = [
  "tests/postgres/pgvector",
  "tests/api/challenge_test.ts",
  "tests/api/formula_work_test.ts",
];
const WITH_VECTORS = [
  ...["tests/postgres/pgvector", "tests/postgres/schema_test.ts"],
  ...["tests/api/semantic_test.ts", "tests/api/embeddings_test.ts"],
];

const isIndexed = Deno.args[0] === "--vector-index";
const named = isIndexed ? Deno.args.slice(1) : Deno.args;
const paths = isIndexed ? WITH_VECTORS : await Array.fromAsync(testsOf(PATHS));

await using cluster = await startCluster();
const { code } = await new Deno.Command(Deno.execPath(), {
  args: [
    // `deno task check` looks at types once, and not each suite again.
    ...["test", "--config", "tests/deno.json", "--no-prompt", "--no-check", "--parallel"],
    ...["--allow-net=127.0.0.1,localhost", "--allow-read"],
    ...[
      "--allow-write",
      "--allow-run",
      "--allow-sys=uid",
      "--allow-env=TEST_DATABASE_URL,TEST_VECTOR_INDEX,PGAPPNAME,PGTARGETSESSIONATTRS",
    ],
    ...(named.length > 0 ? named : paths),
  ],
  env: { TEST_DATABASE_URL: cluster.url, ...(isIndexed && { TEST_VECTOR_INDEX: "on" }) },
  stdout: "inherit",
  stderr: "inherit",
}).output();
Deno.exitCode = code;

/** Lists the tests at these paths; `--ignore` of `deno test` has no effect on paths of several depths. */
async function* testsOf(paths: readonly string[]): AsyncGenerator<string> {
  for (const path of paths) {
    if (IGNORED.includes(path)) continue;
    if (path.endsWith("_test.ts")) yield path;
    if (!(await Deno.stat(path)).isDirectory) continue;
    const names = await Array.fromAsync(Deno.readDir(path), ({ name }) => `${path}/${name}`);
    yield* testsOf(names);
  }
}
