/**
 * `deno task bench [name] [--rows N]`: each aim beside what this machine measures. `http` needs `wrk`,
 * `openapi` and `files` nginx and curl besides;
 * `query` builds a database of N rows, a million unless told otherwise, in the temporary folder,
 * `search` a workspace of N pages, 100,000 unless told otherwise, `nearest` N vectors, a million unless
 * told otherwise; `postgres` does as `query`, and once more on a PostgreSQL server of its own; `hold`
 * builds a database of N rows, 20,000 unless told otherwise.
 *
 * @module
 */
import { benchFiles } from "./files.ts";
import { benchHostile } from "./hostile.ts";
import { benchHold } from "./hold.ts";
import { benchHttp } from "./http.ts";
import { benchMarkdown } from "./markdown.ts";
import { benchNearest } from "./nearest.ts";
import { benchOpenapi } from "./openapi.ts";
import { benchPolicy } from "./policy.ts";
import { benchPostgres } from "./postgres.ts";
import { benchQuery } from "./query.ts";
import { benchRouter } from "./router.ts";
import { benchSearch } from "./search.ts";
import { benchStart } from "./start.ts";
import { benchTiming } from "./timing.ts";

const BENCHES = {
  policy: benchPolicy,
  router: benchRouter,
  start: benchStart,
  markdown: benchMarkdown,
  hostile: benchHostile,
  http: benchHttp,
  files: benchFiles,
  query: benchQuery,
  postgres: benchPostgres,
  search: benchSearch,
  hold: benchHold,
  nearest: benchNearest,
  openapi: benchOpenapi,
  timing: benchTiming,
};

const option = Deno.args.indexOf("--rows");
const rows = option < 0 ? undefined : Number(Deno.args[option + 1]);
if (rows !== undefined && !Number.isInteger(rows)) throw new Error("--rows takes a number");
const named = Deno.args.filter((_, index) => option < 0 || index < option || index > option + 1);
const names = named.length > 0 ? named : Object.keys(BENCHES);
for (const name of names) {
  const bench = new Map(Object.entries(BENCHES)).get(name);
  if (bench === undefined) throw new Error(`No such benchmark: ${name}`);
  // deno-lint-ignore no-console -- a benchmark prints
  await bench((line) => console.log(line), rows === undefined ? {} : { rows });
}
