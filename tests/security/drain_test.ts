import { assertEquals, assertRejects } from "../assert.ts";
import { withServer } from "../support/socket.ts";
import { watchStore } from "../support/watched_store.ts";
import { lastRequest, NEW_PAGE, outcome, UNKNOWN } from "./support.ts";

/** A store whose `node` waits until it is let go. */
function gatedStore() {
  const gate = Promise.withResolvers<undefined>();
  const reached = Promise.withResolvers<void>();
  const { store } = watchStore({
    node: () => {
      reached.resolve();
      return gate.promise;
    },
  });
  return { store, reached: reached.promise, open: () => gate.resolve(undefined) };
}

Deno.test("a stop lets what is in flight finish, says so meanwhile, and then takes no more", async () => {
  const { store, reached, open } = gatedStore();
  await withServer(async ({ connect, firstAnswer, host, mint, stop }) => {
    const authorization = `Authorization: Bearer ${await mint()}`;
    const keepAlive = (line: string) =>
      `${line} HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\n\r\n`;
    const slow = firstAnswer(keepAlive(`GET /v2/pages/${UNKNOWN}`));
    await reached;
    const stopped = stop();
    const ready = await firstAnswer(keepAlive("GET /readyz"));
    assertEquals(outcome(ready), "503 service_unavailable");
    assertEquals(JSON.parse(ready.text).detail, "Not ready: the server is stopping");
    const answers = [ready];
    for (const line of ["GET /healthz", "OPTIONS /healthz", "GET /nowhere"]) {
      answers.push(await firstAnswer(keepAlive(line)));
    }
    open();
    const late = await slow;
    assertEquals(outcome(late), "404 object_not_found");
    for (const { headers } of [...answers, late]) assertEquals(headers.get("connection"), "close");
    await stopped;
    await assertRejects(() => connect(), Deno.errors.ConnectionRefused);
  }, { store });
});

Deno.test("a stop lets a body that is being read come to its end, and keeps its write", async () => {
  const { store, calls } = watchStore();
  await withServer(async ({ connect, mint, host, stop, exchange }) => {
    const body = JSON.stringify(NEW_PAGE);
    const fields = [
      `Host: ${host}`,
      `Authorization: Bearer ${await mint()}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "Expect: 100-continue",
    ];
    const connection = await connect();
    await connection.write(["POST /v2/pages HTTP/1.1", ...fields, "", ""].join("\r\n"));
    // The server asks for the body once it reads it.
    assertEquals((await connection.readOne()).status, 100);
    await connection.write(body.slice(0, 10));
    const stopped = stop();
    assertEquals(
      (await exchange(lastRequest("GET /readyz HTTP/1.1", [`Host: ${host}`])))[0]?.status,
      503,
    );
    await connection.write(body.slice(10));
    assertEquals((await connection.readAll()).map(outcome), ["200"]);
    connection.close();
    await stopped;
    assertEquals(calls.filter((name) => name === "commit").length, 1);
  }, { store });
});

Deno.test("a stop waits no longer than its grace for what does not end", async () => {
  const { store, reached, open } = gatedStore();
  await withServer(async ({ connect, mint, host, stop }) => {
    const connection = await connect();
    const fields = [`Host: ${host}`, `Authorization: Bearer ${await mint()}`];
    await connection.write(lastRequest(`GET /v2/pages/${UNKNOWN} HTTP/1.1`, fields));
    await reached;
    await stop();
    assertEquals(await connection.readAll(), []);
    connection.close();
    open();
  }, { store, grace: 20 });
});

Deno.test("a stop does not wait for connections that ask for nothing", () =>
  withServer(async ({ connect, host, stop }) => {
    const [silent, halfSent, kept] = [await connect(), await connect(), await connect()];
    await halfSent.write("GET /healthz HT");
    await kept.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    assertEquals((await kept.readOne()).status, 200);
    await stop();
    for (const connection of [silent, halfSent, kept]) {
      assertEquals(await connection.readAll(), []);
      connection.close();
    }
  }));

Deno.test("a stop ends under steady load: what comes late is refused, and nothing is cut off", async () => {
  // Each takes a while of its own, so that some are in flight at any moment.
  let asked = 0;
  const node = () =>
    new Promise<undefined>((resolve) =>
      setTimeout(() => resolve(undefined), 100 + (asked++ * 37) % 200)
    );
  const { store } = watchStore({ node });
  await withServer(async ({ exchange, host, mint, stop }) => {
    const fields = [`Host: ${host}`, `Authorization: Bearer ${await mint()}`];
    const outcomes = new Set<string>();
    let isStopped = false;
    const load = async () => {
      while (!isStopped) {
        const answers = await exchange(lastRequest(`GET /v2/pages/${UNKNOWN} HTTP/1.1`, fields))
          .catch(() => []);
        for (const answer of answers) outcomes.add(outcome(answer));
      }
    };
    const loads = Array.from({ length: 24 }, load);
    while (outcomes.size === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await stop();
    isStopped = true;
    await Promise.all(loads);
    assertEquals(outcomes, new Set(["404 object_not_found", "503 service_unavailable"]));
  }, { store, grace: 600_000 });
});

Deno.test("stop() called twice is one stop", () =>
  withServer(async ({ stop }) => {
    assertEquals(stop(), stop());
    await stop();
  }));
