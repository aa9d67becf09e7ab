/**
 * The result of the image's build, on this machine: its commands run on a copy of its context.
 *
 * @module
 */
import { answering, baseUrl, compressed } from "../bench/processes.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { ALL_SCOPES } from "../support/app.ts";
import { withFolder } from "../support/folders.ts";
import { installSource } from "../support/installation.ts";
import { freePort } from "../support/ports.ts";
import { LAUNCHER } from "../support/recto.ts";
import { inSandbox } from "./sandbox.ts";

const DOCKERFILE = await Deno.readTextFile("deploy/Dockerfile");

/** Options of V8 of all processes in the image. */
const V8_FLAGS = /^ARG V8_FLAGS=(.+)$/m.exec(DOCKERFILE)?.[1] ?? "";

/** Commands of the Dockerfile that build the service and start it once. */
const [BUILD = [], START = []] = DOCKERFILE.split("\n")
  .filter((line) => line.startsWith("RUN [") && line.includes("task"))
  // Sound because this form of the instruction is a list of words.
  .map((line) => JSON.parse(line.slice("RUN ".length)) as string[]);

/** Folders and settings of a container. */
interface Image {
  readonly app: string;
  /** The only folder that it may write to. */
  readonly data: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
}

/** Builds the image in a folder. */
async function buildImage(folder: string): Promise<Image> {
  const [source, app] = [`${folder}/recto`, `${folder}/app`];
  const [cache, data] = [`${folder}/cache`, `${folder}/data`];
  for (const path of [cache, data]) await Deno.mkdir(path);
  await installSource(source);
  await run(BUILD, { cwd: source });
  await Deno.rename(`${source}/built`, app);
  await Deno.rename(`${source}/deploy`, `${app}/deploy`);
  const port = freePort();
  const env = { DENO_DIR: cache, DENO_V8_FLAGS: V8_FLAGS, PORT: `${port}`, TMPDIR: folder };
  // Docker ends all processes of a command with its first one, and so does a namespace.
  const inNamespace = ["unshare", "--pid", "--fork", "--mount-proc"];
  await run([...inNamespace, ...START], { cwd: app, env });
  return { app, data, port, env: { ...env, RECTO_DATA_DIR: data, RECTO_BACKUP_TO: data } };
}

/** Starts Deno as a container does, where it can write to its data folder alone. */
function startDeno({ app, data, env }: Image, args: readonly string[]) {
  const [command = "", ...rest] = inSandbox(data, [Deno.execPath(), ...args]);
  const child = new Deno.Command(command, {
    ...{ cwd: app, args: rest, env },
    ...{ stdout: "piped", stderr: "piped" },
  }).spawn();
  let text = "";
  const read = [child.stdout, child.stderr].map(async (stream) => {
    for await (const part of stream.pipeThrough(new TextDecoderStream())) text += part;
  });
  const ended = async () => {
    await Promise.all(read);
    return (await child.status).code;
  };
  return {
    /** All that it has printed so far. */
    printed: () => text,
    /** Waits until it has ended; returns its exit code. */
    ended,
    /** Has it end, and returns its exit code. */
    stop: () => {
      child.kill("SIGTERM");
      return ended();
    },
  };
}

const RECTO = ["run", "--quiet", "--no-prompt", ...LAUNCHER, "src/cli/recto.js"];

/** Runs a command as `docker exec` does; returns what it prints. */
async function recto(image: Image, ...args: readonly string[]): Promise<string> {
  const command = startDeno(image, [...RECTO, ...args]);
  assertEquals(await command.ended(), 0, command.printed());
  return command.printed();
}

Deno.test("the image", (test) =>
  withFolder(async (folder) => {
    const image = await buildImage(folder);
    await test.step("starts with code that was compiled when it was built", () => usesCache(image));
    await test.step("serves from several processes, with every Worker", () => serves(image));
    await test.step("decides for a proxy, and checks a changed policy", () => decides(image));
    await test.step("names the files of the repository in stacks", () => namesSources(image));
  }));

async function usesCache(image: Image): Promise<void> {
  const server = ["run", "--log-level=debug", "--no-prompt", "--allow-all", "main.js"];
  const { printed, stop } = startDeno(image, server);
  await answering(image.port);
  assertEquals(await stop(), 0);
  assertStringIncludes(printed(), `V8 code cache hit for ES module: file://${image.app}/main.js`);
  assertEquals(printed().match(/Updating V8 code cache for ES module: .*/g), null);
}

/** Paragraphs that one thread writes, one reads, one prints, and from which one learns. */
const NOTES = Array.from(
  { length: 600 },
  (_, index) => `Swallow number ${index} breeds in barn ${index % 7}. ${"It sings. ".repeat(40)}`,
).join("\n\n");

async function serves(image: Image): Promise<void> {
  const debug = { ...image, env: { ...image.env, DENO_LOG: "debug", RECTO_PROCESSES: "2" } };
  const { printed, stop } = startDeno(debug, [...RECTO, "serve"]);
  try {
    await answering(image.port);
    await useAll(image);
    const found = await run([
      "find",
      image.app,
      "-name",
      "*_worker.js",
      "-not",
      "-path",
      "*/gateway/*",
    ]);
    const workers = found.trim().split("\n");
    assertEquals(workers.length, 7);
    const isLoaded = (worker: string) => printed().includes(`ES module: file://${worker}, `);
    // The check of the database begins some seconds after the start.
    while (!workers.every(isLoaded)) await new Promise((resolve) => setTimeout(resolve, 100));
  } finally {
    assertEquals(await stop(), 0);
  }
  assertEquals(printed().match(/.*"level":"(?:warn|error)".*/g), null);
}

/** Creates a key and pages, reads one, searches, reads two documents and backs up. */
async function useAll(image: Image): Promise<void> {
  const created = await recto(image, "keys", "create", "--name", "image", "--scope", ALL_SCOPES);
  const authorization = `Bearer ${created.match(/recto_\w+/)?.[0]}`;
  const call = async (path: string, init: RequestInit) => {
    const headers = { authorization, ...init.headers };
    const answer = await fetch(`${baseUrl(image.port)}/v2/${path}`, { ...init, headers });
    const text = await answer.text();
    assertEquals(answer.status, 200, text);
    return text;
  };
  const asMarkdown = { "content-type": "text/markdown" };
  const create = () => call("pages", { method: "POST", headers: asMarkdown, body: NOTES });
  // One alone has too few passages to learn from.
  const [page = ""] = await Promise.all([create(), create(), create()]);
  const { id } = JSON.parse(page);
  const headers = { accept: "text/markdown" };
  const printed = await call(`pages/${id}/content/markdown`, { headers });
  assertStringIncludes(printed, "Swallow number 599");
  const asJson = { "content-type": "application/json" };
  const query = { method: "POST", headers: asJson, body: '{"query":"swallows"}' };
  assertStringIncludes(await call("search", query), id);
  await compressed(image.port);
  assertStringIncludes(await call("../policy", {}), "pages.read");
  assertMatch(await recto(image, "backup"), /\.tar/);
}

async function decides(image: Image): Promise<void> {
  const file = `${image.data}/shop.json`;
  const write = (description: string) =>
    Deno.writeTextFile(
      file,
      JSON.stringify({
        service: "shop",
        scopes: { "orders:read": description },
        routes: { "GET /orders": ["orders:read"] },
        fields: {},
        invariants: [],
      }),
    );
  await write("Read orders.");
  const env = {
    ...image.env,
    ...{ RECTO_GATEWAY_HOST: "127.0.0.1", RECTO_GATEWAY_PORT: `${freePort()}` },
    RECTO_GATEWAY_POLICIES: `*=${file}`,
  };
  const { printed, ended, stop } = startDeno({ ...image, env }, [...RECTO, "gateway"]);
  let isRunning = true;
  ended().then(() => isRunning = false);
  const saw = async (message: string) => {
    while (!printed().includes(`"message":"${message}"`)) {
      assert(isRunning && !printed().includes('"level":"error"'), printed());
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  await saw("Ready");
  await write("Read all orders.");
  await saw("Policy reloaded");
  assertEquals(await stop(), 0);
}

async function namesSources(image: Image): Promise<void> {
  // It may not read the settings.
  const parent = ["run", "--no-prompt", "src/cli/processes.js", "1"];
  const env = { ...image.env, NO_COLOR: "1" };
  const { printed, ended } = startDeno({ ...image, env }, parent);
  await ended();
  const own = printed().match(/\/src\/[\w/]+\.ts:\d+/g) ?? [];
  assert(own.some((place) => place.startsWith("/src/config/variables.ts:")));
}

/** Runs a command; throws with its output if it fails. */
async function run([command = "", ...args]: readonly string[], options: Deno.CommandOptions = {}) {
  const { success, stdout, stderr } = await new Deno.Command(command, { ...options, args })
    .output();
  const text = new TextDecoder().decode(stdout);
  if (!success) throw new Error(`${command}: ${text}${new TextDecoder().decode(stderr)}`);
  return text;
}
