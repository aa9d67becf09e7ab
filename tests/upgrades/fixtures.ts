/**
 * The databases that earlier versions wrote. `make.ts` made them.
 *
 * @module
 */
import { gunzipSync } from "node:zlib";

const FOLDER = new URL("./fixtures/", import.meta.url).pathname;

export interface Fixture {
  /** Number of the last migration that it has had, as three digits. */
  readonly schema: string;
  /** A SQLite file, or statements of SQL. */
  content(): Promise<Uint8Array>;
}

/** Returns the databases of one kind, the oldest first. */
export function fixturesOf(kind: "sqlite" | "postgres"): Fixture[] {
  return [...Deno.readDirSync(FOLDER)].map(({ name }) => name)
    .filter((name) => name.startsWith(kind)).sort()
    .map((name) => ({
      schema: /\d{3}/.exec(name)?.[0] ?? "",
      content: async () => gunzipSync(await Deno.readFile(FOLDER + name)),
    }));
}
