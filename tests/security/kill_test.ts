/**
 * The short form of `deno task kills`.
 *
 * @module
 */
import { assert, assertEquals } from "../assert.ts";
import { rowsOf } from "../store/sqlite/files.ts";
import { killAgainAndAgain } from "./kills.ts";
import { withFolder } from "../support/folders.ts";

Deno.test("Cases 74 and 85: a kill under load loses, doubles and tears no write", () =>
  withFolder(async (folder) => {
    const signals = ["SIGKILL", "SIGKILL", "SIGKILL"] as const;
    const { repeated } = await killAgainAndAgain({ folder, signals });
    assert(repeated > 0, "Some writes were in flight");
    const path = `${folder}/recto.db`;
    assertEquals(rowsOf(path, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
    assertEquals(rowsOf(path, "PRAGMA foreign_key_check"), []);
  }));

Deno.test("Case 67: a SIGTERM under load loses, doubles and tears no write", () =>
  withFolder(async (folder) => {
    await killAgainAndAgain({ folder, signals: ["SIGTERM", "SIGTERM"] });
  }));
