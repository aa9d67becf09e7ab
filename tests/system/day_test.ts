/**
 * A day in the life of a service: every step is a documented command, and nothing is lost.
 *
 * @module
 */
import { answering, baseUrl } from "../bench/processes.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { ALL_SCOPES } from "../support/app.ts";
import { withFolder } from "../support/folders.ts";
import { type Installation, installBuilt, installSource } from "../support/installation.ts";
import { freePort } from "../support/ports.ts";
import { MIGRATIONS } from "../../src/store/sqlite/migrations.ts";
import { fixturesOf } from "../upgrades/fixtures.ts";
import { DEPLOYED_PROXIES } from "./deployed_proxies.ts";
import { inSandbox } from "./sandbox.ts";

function launch({ launcher }: Installation, args: readonly string[]): string[] {
  return ["run", "--quiet", "--no-prompt", "--allow-env", "--allow-run", launcher, ...args];
}

interface Server {
  readonly logged: Promise<string>;
  readonly stop: () => Promise<number>;
}

/** Serves from an installation, in the sandbox. */
function serve(installed: Installation, data: string, envFile: string): Server {
  const [command = "", ...args] = inSandbox(data, [
    ...[Deno.execPath(), ...launch(installed, ["serve", `--env-file=${envFile}`])],
  ]);
  const options = { args, cwd: installed.folder, stdout: "piped", stderr: "null" } as const;
  const child = new Deno.Command(command, options).spawn();
  const logged = new Response(child.stdout).text();
  return {
    logged,
    stop: async () => {
      child.kill("SIGTERM");
      return (await child.status).code;
    },
  };
}

/** Creates pages until it is told to end; returns the titles that were acknowledged. */
function writeOn(origin: string, key: string, name: string) {
  const titles: string[] = [];
  const state = { isDone: false };
  const write = async () => {
    for (let index = 0; !state.isDone; index++) {
      const title = `${name} ${index}`;
      const answer = await fetch(`${origin}/v2/pages`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({
          parent: { workspace: true },
          properties: { title: [{ text: { content: title } }] },
        }),
      });
      await answer.body?.cancel();
      if (answer.status === 200) titles.push(title);
    }
  };
  const ended = write();
  return {
    titles,
    end: async () => {
      state.isDone = true;
      await ended;
    },
  };
}

/** Returns the titles of all pages. */
async function titlesAt(origin: string, key: string): Promise<Set<string>> {
  const titles = new Set<string>();
  let cursor: string | undefined;
  do {
    const answer = await fetch(`${origin}/v2/search`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ page_size: 100, ...(cursor && { start_cursor: cursor }) }),
    });
    assertEquals(answer.status, 200);
    const { results, next_cursor } = await answer.json();
    for (const { properties, title } of results) {
      const text = title ?? Object.values(properties ?? {})
        // deno-lint-ignore no-explicit-any -- a test reads into answers freely
        .map((property: any) => property.title).find((one) => one !== undefined);
      titles.add(text?.map((part: { plain_text: string }) => part.plain_text).join("") ?? "");
    }
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return titles;
}

/** Runs a command of the installation. */
async function recto(args: readonly string[], installed: Installation): Promise<string> {
  const options = { args: launch(installed, args), cwd: installed.folder };
  const command = new Deno.Command(Deno.execPath(), options);
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  const text = decoder.decode(stdout);
  assertEquals(code, 0, `recto ${args.join(" ")}: ${text}${decoder.decode(stderr)}`);
  return text.trim();
}

for (const [name, install] of Object.entries({ source: installSource, built: installBuilt })) {
  Deno.test(`a day in the life (${name}): install, upgrade, serve in the sandbox behind proxies, import, scrape, back up while writing, restore elsewhere, drain`, () =>
    liveDay(install));
}

function liveDay(install: (folder: string) => Promise<Installation>): Promise<void> {
  return withFolder(async (folder) => {
    const data = `${folder}/data`;
    const envFile = `${folder}/recto.env`;
    const port = freePort();
    const adminPort = freePort();
    const settings = (dataFolder: string) =>
      `RECTO_DATA_DIR=${dataFolder}\nRECTO_BACKUP_TO=${data}/backups\nPORT=${port}\n` +
      `RECTO_ADMIN_PORT=${adminPort}\nRECTO_TRUSTED_PROXIES=127.0.0.1\nRECTO_RATE_LIMIT=off\n`;
    await Deno.writeTextFile(envFile, settings(data));

    // Install.
    const installed = await install(`${folder}/opt`);

    // The data is that of an earlier version: a start is all that an upgrade needs.
    await Deno.mkdir(data);
    const earlier = fixturesOf("sqlite")
      .findLast(({ schema }) => Number(schema) < MIGRATIONS.length);
    assert(earlier !== undefined);
    await Deno.writeFile(`${data}/recto.db`, await earlier.content());
    assertStringIncludes(
      await recto(["migrate", "--plan", `--env-file=${envFile}`], installed),
      "Would run",
    );
    const server = serve(installed, data, envFile);
    await answering(port);

    // Create keys.
    const scopes = ["--name", "day", "--scope", ALL_SCOPES];
    const key = await recto(["keys", "create", ...scopes, `--env-file=${envFile}`], installed);
    const keyFile = `${folder}/key`;
    await Deno.writeTextFile(keyFile, `${key}\n`);
    assert((await titlesAt(baseUrl(port), key)).has("Launch plan"), "earlier content is there");

    // Import.
    const notes = `${folder}/notes`;
    await Deno.mkdir(notes);
    await Deno.writeTextFile(`${notes}/Imported note.md`, "# Imported note\n\nFrom a file.\n");
    await Deno.writeTextFile(
      `${folder}/client.env`,
      `RECTO_TOKEN_FILE=${keyFile}\nRECTO_SERVER=${baseUrl(port)}\n`,
    );
    await recto(["import", notes, "--yes", `--env-file=${folder}/client.env`], installed);

    // Serve behind nginx and Caddy, with a writer behind each.
    const proxies = await Promise.all(
      Object.entries(DEPLOYED_PROXIES).map(async ([name, start]) => {
        const proxyFolder = `${folder}/${name}`;
        await Deno.mkdir(proxyFolder);
        const proxyPort = freePort();
        const running = await start({ folder: proxyFolder, port: proxyPort, behind: port });
        return { running, writer: writeOn(baseUrl(proxyPort), key, name) };
      }),
    );
    const acknowledged = () => proxies.flatMap(({ writer }) => writer.titles);
    const written = async (count: number) => {
      while (acknowledged().length < count) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    await written(20);

    // Scrape.
    const metrics = await (await fetch(`${baseUrl(adminPort)}/metrics`)).text();
    assertStringIncludes(metrics, "recto_");
    assertEquals((await fetch(`${baseUrl(port)}/metrics`)).status, 404);

    // Back up while writing.
    const before = acknowledged();
    await recto(["backup", `--env-file=${envFile}`], installed);
    await written(acknowledged().length + 20);

    // Drain.
    const code = await Promise.race([
      server.stop(),
      new Promise((resolve) => setTimeout(resolve, 60_000)),
    ]);
    await Promise.all(proxies.map(({ writer }) => writer.end()));
    assertEquals(code, 0);
    const after = acknowledged();
    // What comes during the drain is refused, which proxies and clients try again.
    const [serving = ""] = (await server.logged).split("Draining: ");
    const errors = serving.split("\n").filter((line) => line.includes('"level":"error"'));
    assertEquals(errors, []);

    // Start again: nothing that was acknowledged is lost.
    const again = serve(installed, data, envFile);
    await answering(port);
    const kept = await titlesAt(baseUrl(port), key);
    assertEquals(
      [...after, "Launch plan", "Imported note"].filter((title) => !kept.has(title)),
      [],
    );
    assertEquals(await again.stop(), 0);
    await Promise.all(proxies.map(({ running }) => running[Symbol.asyncDispose]()));

    // Restore elsewhere.
    const elsewhere = `${folder}/elsewhere`;
    const [archive] = [...Deno.readDirSync(`${data}/backups`)]
      .filter(({ name }) => name.endsWith(".tar"));
    await recto(
      ["restore", `${data}/backups/${archive?.name}`, "--to", elsewhere, `--env-file=${envFile}`],
      installed,
    );
    await Deno.writeTextFile(envFile, settings(elsewhere));
    const restored = serve(installed, elsewhere, envFile);
    await answering(port);
    const found = await titlesAt(baseUrl(port), key);
    assertEquals([...before, "Launch plan", "Imported note"].filter((one) => !found.has(one)), []);
    assertEquals(await restored.stop(), 0);
  });
}
