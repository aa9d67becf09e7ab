/**
 * `deno task bench [name]`: each aim beside what this machine measures. `http` needs `wrk`, `openapi`
 * nginx and curl besides.
 *
 * @module
 */
import { benchHttp } from "./http.ts";
import { benchOpenapi } from "./openapi.ts";
import { benchPolicy } from "./policy.ts";
import { benchRouter } from "./router.ts";
import { benchStart } from "./start.ts";

const BENCHES = {
  policy: benchPolicy,
  router: benchRouter,
  start: benchStart,
  http: benchHttp,
  openapi: benchOpenapi,
};

const names = Deno.args.length > 0 ? Deno.args : Object.keys(BENCHES);
for (const name of names) {
  const bench = new Map(Object.entries(BENCHES)).get(name);
  if (bench === undefined) throw new Error(`No such benchmark: ${name}`);
  // deno-lint-ignore no-console -- a benchmark prints
  await bench((line) => console.log(line));
}
