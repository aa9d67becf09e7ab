/**
 * Clients compare metadata of any replica, whenever it was started.
 *
 * @module
 */
import {
  baseUrl,
  compressed,
  rectoArgs,
  rectoEnv,
  type RunningProcess,
  startProcess,
} from "../bench/processes.ts";
import { freePort } from "../support/ports.ts";
import { sha256 } from "../../src/openapi/meta.ts";
import { assert, assertEquals } from "../assert.ts";

interface Replica extends RunningProcess {
  readonly port: number;
}

async function start(folder: string): Promise<Replica> {
  const port = freePort();
  const child = await startProcess(rectoArgs(folder), { port, env: rectoEnv(port, folder) });
  return { ...child, port };
}

/** The metadata that a replica tells, once it was compared with the document that it serves. */
async function metaOf({ port }: Replica): Promise<string> {
  const document = await fetch(`${baseUrl(port)}/v2/openapi.json`, {
    headers: { "accept-encoding": "identity" },
  });
  const meta = await (await fetch(`${baseUrl(port)}/v2/openapi/meta`)).text();
  const { etag } = JSON.parse(meta);
  assertEquals(document.headers.get("etag"), `"${etag}"`);
  assertEquals(await sha256(await document.text()), etag);
  return meta;
}

Deno.test("a server compresses the document soon after it started, and sends the very same", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using server = await start(folder);
    await compressed(server.port);
    const url = `${baseUrl(server.port)}/v2/openapi.json`;
    const plain = await fetch(url, { headers: { "accept-encoding": "identity" } });
    const encoded = await fetch(url, { headers: { "accept-encoding": "gzip" } });
    assertEquals(encoded.headers.get("etag"), `W/${plain.headers.get("etag")}`);
    assertEquals(await encoded.text(), await plain.text());
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("two replicas, and one that is started again, tell the same metadata", async () => {
  const folders = await Promise.all([Deno.makeTempDir(), Deno.makeTempDir()]);
  const [one = "", other = ""] = folders;
  try {
    const told: string[] = [];
    {
      await using first = await start(one);
      await using second = await start(other);
      told.push(await metaOf(first), await metaOf(second));
    }
    {
      await using again = await start(one);
      told.push(await metaOf(again));
    }
    assert(JSON.parse(told[0] ?? "").schemaCount > 100);
    assertEquals(new Set(told).size, 1, told.join("\n"));
  } finally {
    for (const folder of folders) await Deno.remove(folder, { recursive: true });
  }
});
