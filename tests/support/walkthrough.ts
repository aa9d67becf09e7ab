/**
 * Runs walk-throughs of the documentation step by step.
 *
 * @module
 */
import { buildDocument, runSpec } from "../../src/cli/spec.ts";
import { runSpecDiff } from "../../src/cli/spec_diff.ts";
import { parseOperatorInfo } from "../../src/cli/openapi/info.ts";
import { openCommandContext } from "../../src/cli/policy.ts";
import { runPolicy } from "../../src/cli/policy/cli.ts";
import type { CommandContext } from "../../src/policy/command.ts";
import { createIo } from "../../src/policy/io.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import { assert, assertEquals } from "../assert.ts";

const root = new URL("../../", import.meta.url);

export interface Block {
  readonly language: string;
  readonly file: string;
  readonly text: string;
}

/** Returns the fenced code blocks of a section of a page. */
export function blocksOf(page: string, heading: string): Block[] {
  const start = page.indexOf(`\n## ${heading}\n`);
  assert(start >= 0, heading);
  const end = page.indexOf("\n## ", start + 1);
  const section = page.slice(start, end < 0 ? undefined : end);
  return [...section.matchAll(/^```(\S+) ?(\S*)\n([\s\S]*?)^```$/gm)]
    .map(([, language = "", file = "", text = ""]) => ({ language, file, text }));
}

/** Creates a folder with the policy and the document under git, as a reviewer has them. */
export async function createDesk(): Promise<string> {
  const folder = `${await Deno.makeTempDir()}/`;
  const spec = ["spec/openapi.json", "spec/meta.json", "spec/info.json"];
  for (const path of ["policy/scopes.json", ...spec]) {
    await copy(path, folder);
  }
  for await (const { name } of Deno.readDir(new URL("policy/cases/", root))) {
    await copy(`policy/cases/${name}`, folder);
  }
  const io = createIo(folder);
  await io.git(["init", "--quiet"]);
  await io.git(["add", "."]);
  const author = ["-c", "user.name=Reviewer", "-c", "user.email=reviewer@example.org"];
  await io.git([...author, "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", "Live"]);
  return folder;
}

async function copy(path: string, folder: string): Promise<void> {
  const target = folder + path;
  await Deno.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true });
  await Deno.copyFile(new URL(path, root), target);
}

/** Splits a command line into words, like a shell. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

async function runLine(line: string, folder: string): Promise<string> {
  const [command = "", echo] = line.split("; ");
  let output = "";
  const print = (text: string): void => {
    output += text;
  };
  const io: CommandContext = {
    ...openCommandContext(folder),
    out: print,
    err: print,
    today: "2026-12-01",
    color: false,
  };
  const [, , task, ...args] = wordsOf(command);
  const code = task === "policy"
    ? await runPolicy(args, io)
    : args[0] === "diff"
    ? await runSpecDiff(args.slice(1), io)
    : await runSpecTask(folder, print);
  return echo === undefined ? output : `${output}${code}\n`;
}

async function runSpecTask(folder: string, print: (text: string) => void): Promise<number> {
  const policyFile = "policy/scopes.json";
  const policy = parsePolicy(await Deno.readTextFile(folder + policyFile));
  const operatorInfo = parseOperatorInfo(await Deno.readTextFile(`${folder}spec/info.json`));
  return await runSpec({
    build: () => buildDocument(policy, operatorInfo),
    policyFile,
    root: folder,
    check: false,
    now: 0,
    print: (line) => print(`${line}\n`),
  });
}

async function applyDiff({ file, text }: Block, folder: string): Promise<void> {
  const lines = text.trimEnd().split("\n");
  const side = (mark: string): string =>
    lines.filter((line) => line.startsWith(mark)).map((line) => `${line.slice(1)}\n`).join("");
  const before = await Deno.readTextFile(folder + file);
  assertEquals(before.split(side("-")).length, 2, `${file} has the lines once`);
  await Deno.writeTextFile(folder + file, before.replace(side("-"), side("+")));
}

export async function runConsole({ text }: Block, folder: string): Promise<void> {
  for (const part of text.split(/^\$ /m).slice(1)) {
    const [line = "", ...expected] = part.split("\n");
    assertEquals(await runLine(line, folder), expected.join("\n"), line);
  }
}

/** Replaces digests by `…`, because they change with the policy. */
async function withDigests(text: string, folder: string): Promise<string> {
  const draft = JSON.parse(
    await runLine("deno task policy diff HEAD --format approval", folder),
  );
  return text.replace('"before": "…"', `"before": "${draft.before}"`)
    .replace('"after": "…"', `"after": "${draft.after}"`);
}

export async function runBlock(block: Block, folder: string): Promise<void> {
  if (block.language === "console") return await runConsole(block, folder);
  if (block.language === "diff") return await applyDiff(block, folder);
  await Deno.mkdir(`${folder}policy/approvals`, { recursive: true });
  await Deno.writeTextFile(folder + block.file, await withDigests(block.text, folder));
}
