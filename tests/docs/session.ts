/**
 * Runs the steps of a page in one bash session, with a fresh clone and servers of its own.
 *
 * @module
 */
import { freePort } from "../support/ports.ts";
import { isShown } from "./output.ts";
import type { Step } from "./page.ts";
import { type StandIns, startStandIns } from "./stand_ins.ts";

const BIN = new URL("bin", import.meta.url).pathname;
const APPLY_DIFF = new URL("apply_diff.ts", import.meta.url).pathname;
/** Seconds for a whole page. */
const PATIENCE = 180;
/** The name of the repository on the pages. */
const REPOSITORY = "REPOSITORY";
const ORIGIN = "http://127.0.0.1:8000";
const ORIGINS = /http:\/\/(?:localhost|127\.0\.0\.1):8000|https:\/\/recto\.example/g;
/** A value that the reader has to fill in. */
const PLACEHOLDER = /\b([A-Z][A-Z0-9_]*)=[a-z_]*…/g;

export interface Failure {
  readonly line: number;
  readonly message: string;
}

/** A command of a step, with what it must print. */
interface Run {
  readonly line: number;
  readonly script: string;
  readonly shown?: { readonly text: string; readonly language: string };
}

/** The local addresses for those that the pages name. */
interface Addresses {
  readonly server: number;
  readonly gateway: number;
  readonly standIns: StandIns;
}

/** Creates a repository with the files of a folder that git does not ignore, on the branch main. */
export async function createRepository(source: string, folder: string): Promise<string> {
  const repository = `${folder}/repository.git`;
  await git("init", "--quiet", "--bare", "--initial-branch=main", repository);
  const inside = [`--git-dir=${repository}`, `--work-tree=${source}`];
  await git(...inside, "add", "--all");
  const author = ["-c", "user.name=Recto", "-c", "user.email=recto@example.org"];
  await git(...author, ...inside, "commit", "--quiet", "--no-verify", "--message=Recto");
  return repository;
}

async function git(...args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("git", { args: [...args] }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Runs the steps, and returns what failed. Later steps depend on earlier ones, so the first ends it. */
export async function runSteps(
  steps: readonly Step[],
  repository: string,
): Promise<Failure | undefined> {
  const folder = await Deno.makeTempDir({ prefix: "recto-docs-" });
  await using standIns = await startStandIns(JSON.stringify(steps));
  const addresses = { server: freePort(), gateway: freePort(), standIns };
  try {
    await git("clone", "--quiet", repository, `${folder}/recto`);
    await Deno.mkdir(`${folder}/state`);
    const runs = steps.flatMap((step) => toRuns(step, addresses));
    await Deno.writeTextFile(`${folder}/session.sh`, await writeSession(runs, folder));
    const code = await runSession(folder, repository, addresses);
    return await findFailure(runs, folder, code, addresses);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function toRuns(step: Step, addresses: Addresses): Run[] {
  const { line } = step;
  switch (step.kind) {
    case "shell": {
      const { output } = step;
      const shown = output && { text: output.text, language: output.language };
      return [{ line, script: scriptOf(step.text, addresses), ...(shown && { shown }) }];
    }
    case "console":
      return step.commands.map(({ text, output }) => ({
        line,
        script: scriptOf(text, addresses),
        shown: { text: output, language: "console" },
      }));
    case "write":
    case "patch":
      return [{ line, script: fileScript(step, addresses) }];
    case "left out":
      return [];
  }
}

function fileScript(
  { kind, file, text }: Step & { kind: "write" | "patch" },
  addresses: Addresses,
): string {
  const content = `cat > "$DOCS_STATE/block" <<'END OF BLOCK'\n${
    localized(text, addresses)
  }END OF BLOCK\n`;
  const apply = kind === "write"
    ? `mkdir -p "$(dirname '${file}')" && cp "$DOCS_STATE/block" '${file}'`
    : `deno run --quiet --allow-read --allow-write '${APPLY_DIFF}' "$DOCS_STATE/block" '${file}'`;
  return `${content}${apply}\n`;
}

/** Returns the commands of a block; an earlier one has set what the reader has to fill in. */
function scriptOf(text: string, addresses: Addresses): string {
  return localized(text, addresses).replace(PLACEHOLDER, "$1=${$1?}");
}

function localized(text: string, { server, gateway, standIns }: Addresses): string {
  return standIns.toAddresses(text).replace(ORIGINS, ORIGIN)
    .replace(/\b8000\b/g, String(server)).replace(/\b8001\b/g, String(gateway));
}

/** Each run is a file of its own that the session sources, so that variables and functions stay. */
async function writeSession(runs: readonly Run[], folder: string): Promise<string> {
  const lines = [
    `export PATH="$DOCS_BIN:$PATH"`,
    `trap 'stop server; stop gateway' EXIT`,
    `cd "$DOCS_STATE/../recto"`,
  ];
  for (const [index, { script, shown }] of runs.entries()) {
    const file = `${folder}/${index}`;
    await Deno.writeTextFile(`${file}.sh`, script);
    // A console shows what its commands end with, so that they may fail.
    const strict = shown?.language === "console" ? "set +e +o pipefail" : "set -eo pipefail";
    const notice = shown === undefined ? "unset DOCS_SHOWN" : "export DOCS_SHOWN=1";
    lines.push(`echo ${index} > "$DOCS_STATE/at"; ${notice}; ${strict}`);
    lines.push(`source '${file}.sh' > '${file}.out' 2>&1 < /dev/null`);
  }
  return `${lines.join("\n")}\nset +e\necho ${runs.length} > "$DOCS_STATE/at"\n`;
}

async function runSession(
  folder: string,
  repository: string,
  { server, gateway, standIns }: Addresses,
): Promise<number> {
  const { code } = await new Deno.Command("timeout", {
    args: ["--kill-after=30", String(PATIENCE), "bash", `${folder}/session.sh`],
    env: {
      DOCS_BIN: BIN,
      DOCS_STATE: `${folder}/state`,
      DOCS_DENO: Deno.execPath(),
      DOCS_DENO_VERSION: Deno.version.deno,
      PORT: String(server),
      RECTO_GATEWAY_PORT: String(gateway),
      RECTO_SERVER: `http://127.0.0.1:${server}`,
      NO_COLOR: "1",
      DENO_NO_UPDATE_CHECK: "1",
      DENO_INSTALL_ROOT: `${folder}/installed`,
      ...standIns.env,
      ...gitSettings({
        [`url.${repository}.insteadOf`]: REPOSITORY,
        "user.name": "Reader",
        "user.email": "reader@example.org",
      }),
    },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  return code;
}

function gitSettings(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(entries.length / 2), ...Object.fromEntries(entries) };
}

/** Looks for a run that printed something else than the page shows, or that ended the session. */
async function findFailure(
  runs: readonly Run[],
  folder: string,
  code: number,
  addresses: Addresses,
): Promise<Failure | undefined> {
  const end = Number(await Deno.readTextFile(`${folder}/state/at`));
  for (const [index, { line, script, shown }] of runs.entries()) {
    if (index > end) return undefined;
    const printed = cleaned(await Deno.readTextFile(`${folder}/${index}.out`), addresses);
    const command = cleaned(script, addresses);
    if (index === end) {
      const how = code === 124 ? `took more than ${PATIENCE} s` : `ended with ${code}`;
      return { line, message: `${how}:\n${command}\nIt printed:\n${printed}` };
    }
    if (shown === undefined) continue;
    const expected = shown.text.replace(ORIGINS, ORIGIN);
    if (isShown(printed, expected, shown.language)) continue;
    return {
      line,
      message: `printed\n${printed}\nbut the page shows\n${expected}\nfor\n${command}`,
    };
  }
  return undefined;
}

/** Removes what a page does not show: the ports of the test, and the lines in which Deno names a task. */
function cleaned(text: string, { server, gateway, standIns }: Addresses): string {
  return standIns.toNames(text).replaceAll(String(server), "8000").replaceAll(
    String(gateway),
    "8001",
  )
    .replace(/^Task \S+ .*\n/gm, "");
}
