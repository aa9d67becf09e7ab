import { createUsedProofTable } from "../../src/store/postgres/used_proofs.ts";
import { migrate } from "../../src/store/postgres/migrations.ts";
import { openConnection } from "../../src/store/postgres/connection.ts";
import { openLocalIssuer } from "../../src/auth/local_issuer.ts";
import { assert, assertEquals } from "../assert.ts";
import { createDpopClient } from "../api/dpop_driver.ts";
import { startService } from "../security/service.ts";
import { withFolder } from "../support/folders.ts";
import { makeSchema } from "../support/stores.ts";
import { withSchema } from "./support.ts";

const NOW = 1_000_000;
const ORIGIN = "https://recto.example";
const PATH = "/v2/users/me";

Deno.test("useProof() takes an ID once until it expires, and then again", () =>
  withSchema(async (connection) => {
    await migrate(connection);
    const useProof = createUsedProofTable(connection);
    assertEquals(await useProof("a", NOW + 10, NOW), true);
    assertEquals(await useProof("a", NOW + 99, NOW + 9), false);
    assertEquals(await useProof("b", NOW + 10, NOW), true);
    assertEquals(await useProof("a", NOW + 99, NOW + 10), true);
    assertEquals(await useProof("a", NOW + 99, NOW + 98), false);
  }));

Deno.test("of 40 uses of one ID at once, over several connections, one is the first", () =>
  withSchema(async (connection, url) => {
    await migrate(connection);
    const others = Array.from({ length: 3 }, () => openConnection({ url, size: 4 }));
    const tables = [connection, ...others].map(createUsedProofTable);
    for (const id of ["a", "b", "c"]) {
      const uses = Array.from({ length: 10 }, () => tables.map((use) => use(id, NOW + 9, NOW)));
      const outcomes = await Promise.all(uses.flat());
      assertEquals(outcomes.filter((isNew) => isNew).length, 1);
    }
    for (const { close } of others) await close();
  }));

Deno.test("expired IDs are removed while others are used, and valid ones stay", () =>
  withSchema(async (connection) => {
    await migrate(connection);
    const count = async () => {
      const [[rows] = []] = await connection.session.send("SELECT count(*) FROM dpop_proofs", []);
      return Number(rows);
    };
    await connection.session.send(
      `INSERT INTO dpop_proofs SELECT '', 'old' || n, ${NOW} FROM generate_series(1, 1500) n`,
      [],
    );
    await connection.session.send(`INSERT INTO dpop_proofs VALUES ('', 'valid', ${NOW + 1})`, []);
    const useProof = createUsedProofTable(connection);
    for (let n = 0; n <= 500; n++) await useProof(`new${n}`, NOW + 10, NOW);
    assertEquals(await count(), 502);
    assertEquals(await useProof("valid", NOW + 10, NOW), false);
  }));

Deno.test("a proof that one process took is refused by the other, and nonces are theirs together", () =>
  withFolder(async (folder) => {
    const server = Deno.env.get("TEST_DATABASE_URL");
    assert(server !== undefined);
    const url = await makeSchema(server, `s${crypto.randomUUID().replaceAll("-", "")}`);
    const env = { DATABASE_URL: url, RECTO_PUBLIC_URL: ORIGIN, RECTO_AUTH_DPOP: "require" };
    const one = await startService(folder, { env });
    const other = await startService(folder, { env });
    try {
      const client = await createDpopClient();
      const issuer = await openLocalIssuer({ folder });
      const token = await issuer.mint({
        scope: "users.read",
        ttlSeconds: 600,
        now: Date.now(),
        boundKey: client.thumbprint,
      });
      const send = async (process: { readonly origin: string }, proof: string) => {
        const headers = { authorization: `DPoP ${token}`, dpop: proof };
        const response = await fetch(`${process.origin}${PATH}`, { headers });
        await response.body?.cancel();
        return { status: response.status, nonce: response.headers.get("dpop-nonce") };
      };
      const prove = (nonce: string | null) =>
        client.prove(`GET ${PATH}`, { token, nonce, origin: ORIGIN });
      const { nonce } = await send(one, await prove(null));
      assert(nonce !== null);
      for (let round = 0; round < 5; round++) {
        const proof = await prove(nonce);
        assertEquals((await send(one, proof)).status, 200);
        assertEquals((await send(other, proof)).status, 401);
        const raced = await prove(nonce);
        const sent = [one, other, one, other].map((process) => send(process, raced));
        const statuses = (await Promise.all(sent)).map(({ status }) => status).sort();
        assertEquals(statuses, [200, 401, 401, 401]);
      }
    } finally {
      await Promise.all([one.end("SIGTERM"), other.end("SIGTERM")]);
    }
  }));
