/**
 * Hono with `jose` and `node:sqlite` among the peers.
 *
 * @module
 */
import { SignJWT } from "jose";
import { freePort } from "../../support/ports.ts";
import { baseUrl, listening, startProcess } from "../processes.ts";
import { DatabaseClient, forAll, rowOf } from "../rows.ts";
import type { Peer } from "./peer.ts";

export async function startHonoPeer(rows: number): Promise<Peer> {
  const port = freePort();
  const folder = await Deno.makeTempDir({ prefix: "recto-bench-" });
  const secret = crypto.randomUUID();
  const child = await startProcess([
    ...["run", "--config", "tests/deno.json", "--no-prompt", "--allow-net=127.0.0.1"],
    ...[`--allow-read=${folder}`, `--allow-write=${folder}`, "tests/bench/peers/hono_server.ts"],
    ...[`${port}`, `${folder}/rows.db`, secret],
  ], { port, ready: listening });
  const origin = baseUrl(port);
  const authorization = `Bearer ${await tokenOf(secret)}`;
  const client = new DatabaseClient(origin, authorization);
  await forAll(rows, async (number) => void await client.call("POST", "/rows", rowOf(number)));
  return {
    name: "Hono",
    origin,
    headers: { authorization, "content-type": "application/json" },
    requests: {
      "page, authorized": { method: "GET", path: "/rows/1" },
      "row of a database": { method: "GET", path: "/rows/42" },
      "query: filter, sort, 25 rows": {
        method: "POST",
        path: "/rows/query",
        body: { kind: "A", limit: 25 },
      },
      "query: first 25 rows": { method: "POST", path: "/rows/query", body: { limit: 25 } },
      "search, two words": {
        method: "POST",
        path: "/rows/search",
        body: { words: "task 42*", limit: 25 },
      },
      "insert a row": { method: "POST", path: "/rows", body: rowOf(1) },
    },
    [Symbol.asyncDispose]: async () => {
      await child[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

function tokenOf(secret: string): Promise<string> {
  return new SignJWT({ sub: "bench" })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer("peers").setAudience("peers").setExpirationTime("1h")
    .sign(new TextEncoder().encode(secret));
}
