import {
  type AppliedMigration,
  checksumOf,
  type Migration,
  MigrationError,
  pendingMigrations,
} from "../../src/store/migrate.ts";
import { assertEquals, assertNotEquals, assertThrows } from "../assert.ts";

const FIRST: Migration = { name: "001_first", sql: "CREATE TABLE a (x);\n" };
const SECOND: Migration = { name: "002_second", sql: "CREATE TABLE b (x);\n" };

function record(migration: Migration): AppliedMigration {
  return { name: migration.name, checksum: checksumOf(migration) };
}

Deno.test("pendingMigrations() answers what a database still lacks, in order", () => {
  const both = [FIRST, SECOND];
  assertEquals(pendingMigrations(both, []), both);
  assertEquals(pendingMigrations(both, [record(FIRST)]), [SECOND]);
  assertEquals(pendingMigrations(both, both.map(record)), []);
});

Deno.test("pendingMigrations() refuses a migration that changed after it was applied", () => {
  const edited = { ...FIRST, sql: "CREATE TABLE a (y);\n" };
  assertThrows(() => pendingMigrations([edited, SECOND], [record(FIRST)]), MigrationError, "001_");
});

Deno.test("pendingMigrations() refuses a database whose migration is gone from the code", () => {
  const applied = [FIRST, SECOND].map(record);
  assertThrows(() => pendingMigrations([SECOND], applied), MigrationError, "001_first");
  assertThrows(() => pendingMigrations([SECOND, FIRST], applied), MigrationError, "001_first");
});

Deno.test("pendingMigrations() refuses a database that is newer than the code", () => {
  const applied = [FIRST, SECOND].map(record);
  assertThrows(
    () => pendingMigrations([FIRST], applied),
    MigrationError,
    "newer than this release",
  );
});

Deno.test("checksumOf() is the text's alone, however its lines end", () => {
  assertEquals(checksumOf({ ...FIRST, sql: "CREATE TABLE a (x);\r\n" }), checksumOf(FIRST));
  assertEquals(checksumOf({ ...FIRST, name: "other" }), checksumOf(FIRST));
  assertNotEquals(checksumOf(SECOND), checksumOf(FIRST));
  assertEquals(
    checksumOf({ name: "", sql: "abc" }),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});
