/**
 * Runs `recto export` and `recto import` against apps of tests, and reads what an export wrote.
 *
 * @module
 */
import type { CommandResult } from "../../../src/cli/command.ts";
import { exportTo } from "../../../src/cli/export.ts";
import { importInto } from "../../../src/cli/import.ts";
import { NO_PROGRESS } from "../../../src/cli/transfer/progress.ts";
import { ORIGIN, type TestApp } from "../../support/app.ts";

export interface Transfer {
  readonly folder: string;
  exportTo(app: TestApp, name: string, ...args: string[]): Promise<CommandResult>;
  importInto(app: TestApp, name: string, ...args: string[]): Promise<CommandResult>;
}

/** Runs a test with a folder of its own. */
export async function withTransfer(test: (transfer: Transfer) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-transfer-" });
  try {
    await test({
      folder,
      exportTo: async (app, name, ...args) =>
        await exportTo([`${folder}/${name}`, ...args], await contextOf(app)),
      importInto: async (app, name, ...args) =>
        await importInto([`${folder}/${name}`, ...args], await contextOf(app)),
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Creates the client of a command on the app of a test, as a user who may do everything. */
export async function contextOf(app: TestApp) {
  const values = { RECTO_SERVER: ORIGIN, RECTO_TOKEN: await app.mint() };
  return {
    environment: (name: string) => new Map(Object.entries(values)).get(name),
    progress: NO_PROGRESS,
    fetch: (request: Request) => app.send(request),
  };
}

/** The text of every file in a folder, by path. */
export function textsIn(folder: string, path = ""): Map<string, string> {
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  return new Map(
    entries.flatMap(({ name, isDirectory }) =>
      isDirectory
        ? [...textsIn(`${folder}/${name}`, `${path}${name}/`)]
        : [[path + name, Deno.readTextFileSync(`${folder}/${name}`)] as const]
    ),
  );
}
