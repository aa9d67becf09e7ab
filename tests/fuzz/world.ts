/**
 * The service that is fuzzed, and what is put into it before: two users of one workspace, one of
 * another, a database with a property of every type.
 *
 * @module
 */
import { newRow } from "../api/database_driver.ts";
import { newPage, paragraph } from "../api/driver.ts";
import { type EveryType, everyType } from "../api/every_type.ts";
import { dataSourceIdOf } from "../../src/notion/data_source_ids.ts";
import { openLocalIssuer } from "../../src/auth/local_issuer.ts";
import { baseUrl, type RunningRecto } from "../bench/processes.ts";
import { ALL_SCOPES, type CallOptions, type TestApp } from "../support/app.ts";
import { createPool, type Pool } from "./pool.ts";

export type Caller = "ann" | "bob" | "stranger" | "reader" | "nobody" | "forger";

export interface World {
  readonly origin: string;
  readonly types: EveryType;
  readonly pool: Pool;
  /** The `Authorization` field of each caller; undefined of who has none. */
  readonly credentials: Readonly<Record<Caller, string | undefined>>;
}

/** Fills a service that was just started. */
export async function makeWorld(
  { port, dataDir }: RunningRecto,
  random: () => number,
): Promise<World> {
  const issuer = await openLocalIssuer({ folder: dataDir });
  const mint: TestApp["mint"] = (options = {}) =>
    issuer.mint({ scope: ALL_SCOPES, ttlSeconds: 86_400, now: Date.now(), ...options });
  const ann = await mint({ sub: "Ann", name: "Ann" });
  const stranger = await mint({ sub: "Eve", workspace: "elsewhere" });
  const app = { mint, call: overHttp(baseUrl(port), ann) };
  const types = await everyType(app);
  const home = await newPage(app, { title: "Home", children: [paragraph("Kept")] });
  const foreign = await newPage({ call: overHttp(baseUrl(port), stranger) }, { title: "Theirs" });
  const pool = createPool(
    { home, foreign, table: types.id, source: dataSourceIdOf(types.id), user: types.ann },
    random,
  );
  for (let made = 0; made < 5; made++) pool.learn(await newRow(app, types.id));
  const bearer = (token: string) => `Bearer ${token}`;
  return {
    origin: baseUrl(port),
    types,
    pool,
    credentials: {
      ann: bearer(ann),
      stranger: bearer(stranger),
      bob: bearer(await mint({ sub: "Bob", name: "Bob" })),
      reader: bearer(await mint({ sub: "Ray", scope: "pages.read" })),
      nobody: undefined,
      forger: bearer(`${ann.slice(0, -4)}AAAA`),
    },
  };
}

function overHttp(origin: string, usual: string): TestApp["call"] {
  return async (route: string, { token = usual, body }: CallOptions = {}) => {
    const [method = "", path = ""] = route.split(" ");
    const response = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { status, headers } = response;
    const text = await response.text();
    return { status, headers, text, json: JSON.parse(text) };
  };
}
