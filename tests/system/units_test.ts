import { assert, assertEquals } from "../assert.ts";
import { startService } from "../security/service.ts";
import { NEW_PAGE } from "../security/support.ts";
import { withFolder } from "../support/folders.ts";

const UNITS = "deploy/systemd";
const SERVICES = ["recto.service", "recto-backup.service"];

/** Exposure as systemd 252 counts it, times ten: 0 is none, 100 is everything. */
const MAX_EXPOSURE = 12;

async function run(
  command: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly text: string }> {
  const { code, stdout, stderr } = await new Deno.Command(command, { args: [...args] }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** Copies the units to a folder, with a program that exists in place of an installed Deno. */
async function copyUnits(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name } of Deno.readDir(UNITS)) {
    if (name.endsWith(".env")) continue;
    const text = await Deno.readTextFile(`${UNITS}/${name}`);
    const path = `${folder}/${name}`;
    await Deno.writeTextFile(path, text.replace("/usr/local/bin/deno", Deno.execPath()));
    paths.push(path);
  }
  return paths;
}

Deno.test("systemd finds nothing wrong with the units", () =>
  withFolder(async (folder) => {
    const paths = await copyUnits(folder);
    assertEquals(paths.length, 3);
    const { code, text } = await run("systemd-analyze", ["verify", "--man=no", ...paths]);
    const ours = text.split("\n").filter((line) => line.includes("recto"));
    assertEquals([code, ours], [0, []], text);
    await Deno.writeTextFile(`${folder}/recto.service`, "[Service]\nExecStart=nowhere\n");
    assert((await run("systemd-analyze", ["verify", `${folder}/recto.service`])).code !== 0);
  }));

Deno.test("systemd rates the exposure of both services 1.2 at most", () =>
  withFolder(async (folder) => {
    await copyUnits(folder);
    for (const name of SERVICES) {
      const { code, text } = await run("systemd-analyze", [
        ...["security", "--offline=yes", `--threshold=${MAX_EXPOSURE}`, `${folder}/${name}`],
      ]);
      assertEquals(code, 0, text.split("\n").filter((line) => /✗|Overall/.test(line)).join("\n"));
    }
  }));

Deno.test("both services are confined in the same way", async () => {
  const [server, backup] = await Promise.all(
    SERVICES.map(async (name) =>
      (await Deno.readTextFile(`${UNITS}/${name}`)).split("\n")
        .filter((line) =>
          /^(?:\w*(?:Protect|Private|Restrict|SystemCall)\w*|\w*Capabilit\w*|NoNew\w*|UMask)=/.test(
            line,
          )
        )
    ),
  );
  assert((server?.length ?? 0) > 15);
  assertEquals(server, backup);
});

/** SQLite makes it as root alone, which the unit does not run as. */
const AS_ROOT = ["fchown"];

/** System calls that the services may make. */
async function allowedCalls(): Promise<Set<string>> {
  const unit = await Deno.readTextFile(`${UNITS}/recto.service`);
  const filters = [...unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)];
  assertEquals(filters.length, 3);
  const allowed = new Set<string>();
  for (const [, not, sets = ""] of filters) {
    for (const set of sets.split(" ")) {
      for (const call of await callsOf(set)) not ? allowed.delete(call) : allowed.add(call);
    }
  }
  return allowed;
}

async function callsOf(name: string): Promise<string[]> {
  const { text } = await run("systemd-analyze", ["syscall-filter", name]);
  const members = text.split("\n").slice(1).map((line) => line.trim())
    .filter((line) => /^@?[a-z]/.test(line));
  const nested = await Promise.all(
    members.map((member) => member.startsWith("@") ? callsOf(member) : [member]),
  );
  return nested.flat();
}

Deno.test("the service makes no system call that its unit forbids", () =>
  withFolder(async (folder) => {
    const trace = `${folder}/trace.txt`;
    const under = ["strace", "-D", "-f", "-q", "-o", trace];
    const service = await startService(folder, { under });
    try {
      const { headers, origin } = service;
      const created = await fetch(`${origin}/v2/pages`, {
        method: "POST",
        headers,
        body: JSON.stringify(NEW_PAGE),
      });
      assertEquals(created.status, 200, await created.text());
    } finally {
      await service.end("SIGTERM");
    }
    const made = new Set(
      (await Deno.readTextFile(trace)).match(/(?<=^\d+ +)[a-z]\w*(?=\()/gm),
    );
    assert(made.has("accept4") && made.has("execve"), "the trace has the calls of a server");
    const allowed = await allowedCalls();
    assert(allowed.has("read") && !allowed.has("mount") && !allowed.has("setrlimit"));
    const refused = [...made].filter((call) => !allowed.has(call));
    assertEquals(refused.filter((call) => !AS_ROOT.includes(call)), []);
  }));
