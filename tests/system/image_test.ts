/**
 * The result of the image's build, on this machine: its commands run on a copy of its context.
 *
 * @module
 */
import { DENO_FLAGS } from "../../src/config/processes.ts";
import { answering } from "../bench/processes.ts";
import { assert, assertEquals } from "../assert.ts";
import { withFolder } from "../support/folders.ts";
import { freePort } from "../support/ports.ts";
import { inSandbox } from "./sandbox.ts";

const DOCKERFILE = await Deno.readTextFile("deploy/Dockerfile");

/** Options of V8 of all processes in the image. */
const V8_FLAGS = /^ARG V8_FLAGS=(.+)$/m.exec(DOCKERFILE)?.[1] ?? "";

const CONTEXT = (await Deno.readTextFile("deploy/Dockerfile.dockerignore")).split("\n")
  .filter((line) => line.startsWith("!")).map((line) => line.slice(1));

/** Commands of the Dockerfile that run Deno once the code is there. */
const BUILD = DOCKERFILE.split("\n")
  .filter((line) => line.startsWith('RUN ["sh"'))
  // Sound because this form of the instruction is a list of words.
  .map((line) => JSON.parse(line.slice("RUN ".length)) as string[]);

Deno.test("a container starts with code that was compiled when its image was built", () =>
  withFolder(async (folder) => {
    const [app, cache, data] = [`${folder}/app`, `${folder}/cache`, `${folder}/data`];
    for (const path of [`${app}/deploy`, cache, data]) await Deno.mkdir(path, { recursive: true });
    for (const path of CONTEXT) await run(["cp", "-r", path, `${app}/${path}`]);
    const { npmCache } = JSON.parse(await run([Deno.execPath(), "info", "--json"]));
    await Deno.symlink(npmCache, `${cache}/npm`);
    const port = freePort();
    const own = { DENO_DIR: cache, DENO_V8_FLAGS: V8_FLAGS };
    const options = { cwd: app, env: { ...own, PORT: `${port}`, TMPDIR: folder } };
    assertEquals(BUILD.length, 2);
    assertEquals([`--v8-flags=${V8_FLAGS}`], [...DENO_FLAGS]);
    // Docker ends all processes of a command with its first one, and so does a namespace.
    const inNamespace = ["unshare", "--pid", "--fork", "--mount-proc"];
    for (const command of BUILD) await run([...inNamespace, ...command], options);

    const server = ["run", "--log-level=debug", "--no-prompt", "--allow-all", "main.ts"];
    const [command = "", ...args] = inSandbox(data, [Deno.execPath(), ...server]);
    const env = { ...options.env, RECTO_DATA_DIR: data };
    const child = new Deno.Command(command, { ...options, args, env, stderr: "piped" }).spawn();
    const logged = new Response(child.stderr).text();
    await answering(port);
    child.kill("SIGTERM");
    await child.status;
    const found = (await logged).match(/V8 code cache hit for ES module: .*/g) ?? [];
    assert(found.some((line) => line.includes("/app/main.ts")));
    assertEquals((await logged).match(/Updating V8 code cache for ES module: .*/g), null);
  }));

/** Runs a command; throws with its output if it fails. */
async function run([command = "", ...args]: readonly string[], options: Deno.CommandOptions = {}) {
  const { success, stdout, stderr } = await new Deno.Command(command, { ...options, args })
    .output();
  const text = new TextDecoder().decode(stdout);
  if (!success) throw new Error(`${command}: ${text}${new TextDecoder().decode(stderr)}`);
  return text;
}
