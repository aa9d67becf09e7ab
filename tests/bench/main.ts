/**
 * `deno task bench [name] [--rows N] [--only TEXT]`: prints measurements next to their aims.
 *
 * `http`, `dpop`, `peers` and `processes` need `wrk`, `gateway` nginx as well; `peers` installs Directus by npm at its first run; `openapi` and `files` also need nginx and curl. `query` builds a database of N rows
 * (default: a million) in the temporary folder, `search` a workspace of N pages (default: 100,000)
 * in each language whose name contains TEXT, `nearest` N vectors (default: a million). `postgres` is `query` on a PostgreSQL server of its own.
 * `import` imports 10,000 pages and a table of N rows (default: 100,000).
 * `hold` builds a database of N rows (default: 20,000), on a PostgreSQL server of its own with
 * `--postgres`, and sends only requests whose name contains TEXT.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { benchExport } from "./export.ts";
import { benchDpop } from "./dpop.ts";
import { benchFiles } from "./files.ts";
import { benchHostile } from "./hostile.ts";
import { benchGateway } from "./gateway.ts";
import { benchHold } from "./hold.ts";
import { benchImport } from "./import.ts";
import { benchHttp } from "./http.ts";
import { benchMarkdown } from "./markdown.ts";
import { benchNearest } from "./nearest.ts";
import { benchOpenapi } from "./openapi.ts";
import { benchPeers } from "./peers.ts";
import { benchPolicy } from "./policy.ts";
import { benchPostgres } from "./postgres.ts";
import { benchQuery } from "./query.ts";
import { benchRouter } from "./router.ts";
import { benchProcesses } from "./scaling.ts";
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
  dpop: benchDpop,
  files: benchFiles,
  gateway: benchGateway,
  export: benchExport,
  import: benchImport,
  peers: benchPeers,
  processes: benchProcesses,
  query: benchQuery,
  postgres: benchPostgres,
  search: benchSearch,
  hold: benchHold,
  nearest: benchNearest,
  openapi: benchOpenapi,
  timing: benchTiming,
};

const { named, ...options } = readArgs(Deno.args);
const names = named.length > 0 ? named : Object.keys(BENCHES);
for (const name of names) {
  const bench = new Map(Object.entries(BENCHES)).get(name);
  if (bench === undefined) throw new Error(`No such benchmark: ${name}`);
  // deno-lint-ignore no-console -- a benchmark prints
  await bench((line) => console.log(line), options);
}

function readArgs(args: readonly string[]) {
  const { values, positionals: named } = parseArgs({
    args: [...args],
    options: {
      rows: { type: "string" },
      only: { type: "string" },
      postgres: { type: "boolean" },
    },
    allowPositionals: true,
  });
  const rows = values.rows === undefined ? undefined : Number(values.rows);
  if (rows !== undefined && !Number.isInteger(rows)) throw new Error("--rows takes a number");
  const { only, postgres: isOnPostgres } = values;
  return {
    named,
    ...(rows !== undefined && { rows }),
    ...(only !== undefined && { only }),
    ...(isOnPostgres !== undefined && { isOnPostgres }),
  };
}
