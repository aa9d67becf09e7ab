import { assert, assertEquals } from "../assert.ts";
import { childrenOf, newPage, textsOf } from "../api/driver.ts";
import { policyText } from "../policy_runtime/support.ts";
import { rowsOf } from "../store/sqlite/files.ts";
import { callOnce, withProcesses, writePolicy } from "./service.ts";
import { callerOf, rest, startWriters } from "./writers.ts";

Deno.test("no process that is killed under load takes or doubles what was acknowledged, not even the writer", () =>
  withProcesses(async (service) => {
    const page = await newPage(callerOf(service));
    const writers = startWriters(service, page);
    // The primary, one that forwards to it, and the primary that replaced the first.
    for (const kind of ["primary", "other", "primary"]) {
      await writers.more(40);
      const replaced = service.event("All processes serve again");
      const ended = service.event("A process has ended and is replaced");
      const other = service.members().find((pid) => pid !== service.primary()) ?? 0;
      Deno.kill(kind === "primary" ? service.primary() : other, "SIGKILL");
      assertEquals((await ended).primary, kind === "primary");
      await replaced;
    }
    await writers.more(40);
    const written = await writers.stop();
    const stored = textsOf(await childrenOf(callerOf(service), page));
    assertEquals(stored.toSorted(), [...written].toSorted());
    const path = `${service.folder}/.data/recto.db`;
    assertEquals(rowsOf(path, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
  }));

Deno.test("a policy takes effect in all processes within a second, and the log says so", () =>
  withProcesses(async (service) => {
    const anyone = { ...service, headers: {} };
    // When an answer by the new policy was there first, and the last by the old one was asked for.
    const seen = { firstNew: Infinity, lastOld: -Infinity };
    let isDone = false;
    const reader = async () => {
      while (!isDone) {
        const began = performance.now();
        const { status } = await callOnce(anyone, "GET /v2/openapi.json");
        if (status === 401) seen.firstNew = Math.min(seen.firstNew, performance.now());
        else if (status === 200) seen.lastOld = Math.max(seen.lastOld, began);
        else assert(false, `${status}`);
      }
    };
    const readers = Array.from({ length: 8 }, reader);
    const active = service.event("Policy is active in all processes");
    await writePolicy(
      service.folder,
      policyText(({ routes }) => {
        routes["GET /v2/openapi.json"] = ["search.read"];
      }),
    );
    const { processes, ms } = await active;
    isDone = true;
    await Promise.all(readers);
    assertEquals(processes, 4);
    assert(Number(ms) < 1_000, `${ms} ms`);
    assert(seen.lastOld - seen.firstNew < 1_000, `${seen.lastOld - seen.firstNew} ms`);
    for (let times = 0; times < 24; times++) {
      const { status } = await callOnce(anyone, "GET /v2/openapi.json");
      assertEquals(status, 401);
    }
  }));

Deno.test("a process that is replaced has the policy of the others, not a file that they rejected", () =>
  withProcesses(async (service) => {
    const rejected = service.event("Policy rejected, the last valid one stays active");
    await Deno.writeTextFile(`${service.folder}/policy/scopes.json`, "{");
    await rejected;
    for (const pid of service.members()) {
      const replaced = service.event("All processes serve again");
      Deno.kill(pid, "SIGKILL");
      await replaced;
    }
    const told = service.event("SIGHUP: policy refused");
    Deno.kill(service.pid, "SIGHUP");
    await told;
    const { status, text } = await callOnce(service, "GET /readyz");
    assertEquals([status, JSON.parse(text).policy.refused !== null], [200, true]);
    assertEquals((await callOnce(service, "GET /v2/users/me")).status, 200);
  }, { processes: 2 }));

Deno.test("a signal to one process alone stops nothing, because the parent decides", () =>
  withProcesses(async (service) => {
    for (const pid of service.members()) Deno.kill(pid, "SIGTERM");
    // Longer than a process that drains accepts requests.
    await rest(2_500);
    const page = await newPage(callerOf(service));
    const writers = startWriters(service, page);
    await writers.more(50);
    assertEquals((await writers.stop()).length > 0, true);
    assertEquals(service.events.filter(({ level }) => level === "error"), []);
  }, { processes: 2 }));

Deno.test("a stop under load answers every request that was sent, in all processes", () =>
  withProcesses(async (service) => {
    const fields = `Host: 127.0.0.1\r\nAuthorization: ${service.headers.authorization}\r\n`;
    const outcomes: string[] = [];
    let answered = 0;
    // Each client uses its connection until it is told to close it.
    const client = async () => {
      using connection = await Deno.connect({ hostname: "127.0.0.1", port: service.port });
      for (let last = performance.now();;) {
        let idle = 0;
        const answer = await exchange(
          connection,
          `GET /v2/users/me HTTP/1.1\r\n${fields}\r\n`,
          () => idle = performance.now() - last,
        );
        // On a busy machine, a client may have been as idle as those that use no connection.
        if (answer === undefined) return void outcomes.push(idle > 100 ? "idle" : "broken");
        last = performance.now();
        answered++;
        if (!answer.startsWith("http/1.1 200")) return void outcomes.push(answer.slice(0, 12));
        if (answer.includes("connection: close")) return void outcomes.push("closed");
      }
    };
    const clients = Array.from({ length: 32 }, client);
    while (answered < 200) await rest(5);
    const { code } = await service.end("SIGTERM");
    await Promise.all(clients);
    assertEquals(code, 0);
    assertEquals(outcomes.filter((one) => one !== "closed" && one !== "idle"), []);
    assert(outcomes.includes("closed"));
  }));

Deno.test("processes whose parent is killed stop by themselves", () =>
  withProcesses(async (service) => {
    const pids = service.members();
    const running = async () => {
      const all = await Promise.all(pids.map(isRunning));
      return pids.filter((_, index) => all[index]);
    };
    assertEquals(await running(), pids);
    await service.end("SIGKILL");
    const end = performance.now() + 20_000;
    while ((await running()).length > 0 && performance.now() < end) await rest(50);
    assertEquals(await running(), []);
  }));

/** Sends a request and returns the whole response in lower case; undefined if it breaks off. */
async function exchange(
  connection: Deno.Conn,
  request: string,
  onSent: () => void,
): Promise<string | undefined> {
  const buffer = new Uint8Array(65_536);
  let text = "";
  try {
    await connection.write(new TextEncoder().encode(request));
    onSent();
    for (;;) {
      const length = await connection.read(buffer);
      if (length === null) return undefined;
      text += new TextDecoder().decode(buffer.subarray(0, length)).toLowerCase();
      const body = text.indexOf("\r\n\r\n") + 4;
      const expected = Number(/content-length: (\d+)/.exec(text)?.[1]);
      if (body > 3 && text.length - body >= expected) return text;
    }
  } catch {
    return undefined;
  }
}

/** Returns whether a process runs, as `ps` says: Deno reads `/proc` only with all permissions. */
async function isRunning(pid: number): Promise<boolean> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "stat=", "-p", `${pid}`] })
    .output();
  return /^[^Z]/.test(new TextDecoder().decode(stdout));
}
