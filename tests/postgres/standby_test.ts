import { AppError } from "../../src/shared/errors.ts";
import type { Store } from "../../src/store/port.ts";
import { MigrationError } from "../../src/store/migrate.ts";
import { openConnection } from "../../src/store/postgres/connection.ts";
import { migrate } from "../../src/store/postgres/migrations.ts";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";
import { newPage } from "../api/driver.ts";
import { W } from "../store/contract_support.ts";
import { insert, page, update } from "../store/samples.ts";
import { withApp } from "../support/app.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { eventually } from "../support/eventually.ts";

interface Pair {
  readonly primary: Cluster;
  readonly standby: Cluster;
}

/** Runs work on a server with Recto's tables and a page `p`, and on one that follows it. */
async function withPair(work: (pair: Pair) => Promise<void>): Promise<void> {
  await using primary = await startCluster();
  const store = await openPostgresStore({ url: primary.url, size: 2 });
  await store.commit(W, insert(page("p")));
  // As the first start of the service does.
  await Promise.all(["cursors", "files", "pseudonyms"].map((name) => store.secret(name)));
  await store.close();
  await using standby = await startCluster({ standbyOf: primary.url });
  await work({ primary, standby });
}

async function using<T>(store: Store, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await store.close();
  }
}

async function assertReadOnly(work: () => Promise<unknown>): Promise<void> {
  assertEquals((await assertRejects(work, AppError)).code, "storage_read_only");
}

Deno.test("a process starts on a standby, reads there, and writes once it is promoted", () =>
  withPair(async ({ primary, standby }) => {
    const store = await openPostgresStore({ url: standby.url, size: 4, vectorIndex: NO_VECTORS });
    await withApp(async (app) => {
      assertEquals((await store.node(W, "p"))?.id, "p");
      assertEquals((await app.call("POST /v2/search", { body: {} })).status, 200);
      const refused = await app.call("POST /v2/pages", {
        body: { parent: { workspace: true }, properties: {} },
      });
      assertEquals([refused.status, refused.headers.get("retry-after")], [503, "5"]);
      assertEquals((await app.call("GET /readyz")).status, 503);
      await primary.halt("immediate");
      await standby.promote();
      await eventually(() => store.ping());
      assertEquals((await app.call("GET /readyz")).status, 200);
      await newPage(app);
    }, { store });
  }));

const NO_VECTORS = { mostScanned: 1 };

Deno.test("a process does not start on a standby that lacks migrations, and says which", async () => {
  await using primary = await startCluster();
  await using standby = await startCluster({ standbyOf: primary.url });
  const told = await assertRejects(
    () => openPostgresStore({ url: standby.url, size: 2 }),
    MigrationError,
  );
  assert(told.message.startsWith("The database is read-only and lacks 001_content,"), told.message);
});

Deno.test("of several servers the one that takes writes is used, and after a failover the other", () =>
  withPair(async ({ primary, standby }) => {
    const [first, second] = [standby, primary].map(({ url }) => new URL(url).host);
    const url = new URL(primary.url).href.replace(/@[^/]+/, `@${first},${second}`);
    const store = await openPostgresStore({
      url: `${url}?target_session_attrs=read-write`,
      size: 4,
    });
    await using(store, async () => {
      assertEquals(await store.commit(W, [update("p", 1)]), "committed");
      await primary.halt("immediate");
      const { code } = await assertRejects(() => store.node(W, "p"), AppError);
      assertEquals(code, "service_unavailable");
      await standby.promote();
      await eventually(() => store.ping());
      assertEquals(await store.commit(W, insert(page("q"))), "committed");
      assertEquals((await store.node(W, "q"))?.id, "q");
    });
  }));

Deno.test("of several servers without a wish the first that is there is used", async () => {
  await using cluster = await startCluster();
  const { host } = new URL(cluster.url);
  const url = cluster.url.replace(host, `127.0.0.1:1,${host}`);
  const connection = openConnection({ url, size: 2 });
  try {
    assertEquals((await migrate(connection)).length > 0, true);
  } finally {
    await connection.close();
  }
});

Deno.test("a database that was read-only for a while is written again by the same process", async () => {
  await using cluster = await startCluster();
  const store = await openPostgresStore({ url: cluster.url, size: 4 });
  const admin = openConnection({ url: cluster.url, size: 2 });
  const setReadOnly = (value: "on" | "off") =>
    admin.session.send(
      `SET default_transaction_read_only = off;
      ALTER DATABASE postgres SET default_transaction_read_only = ${value};
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE '${value}' = 'on' AND pid <> pg_backend_pid() AND application_name = 'recto'`,
      [],
    );
  await using(store, async () => {
    await store.commit(W, insert(page("p")));
    await setReadOnly("on");
    await eventually(() => assertReadOnly(() => store.ping()));
    assertEquals((await store.node(W, "p"))?.id, "p");
    await assertReadOnly(() => store.commit(W, [update("p", 1)]));
    await setReadOnly("off");
    await eventually(() => store.ping());
    assertEquals(await eventually(() => store.commit(W, [update("p", 1)])), "committed");
  });
  await admin.close();
});
