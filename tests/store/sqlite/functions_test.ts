import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { assertEquals } from "../../assert.ts";

Deno.test("contains_text() finds what instr() finds, and nothing in or by NULL", () => {
  const connection = openConnection(":memory:");
  try {
    const find = connection.db.prepare(
      "SELECT contains_text(?1, ?2) AS is_found, instr(?1, ?2) > 0 AS is_in",
    );
    const text = `${"ab".repeat(100)}é水😀${"ab".repeat(100)}`;
    const wanted = [
      "",
      "é",
      "ab".repeat(100),
      "ab".repeat(101),
      `${"ba".repeat(40)}b水`,
      "水😀ab",
      text,
    ];
    for (const one of wanted) {
      const { is_found, is_in } = find.get(text, one) ?? {};
      assertEquals([one, is_found], [one, is_in]);
    }
    assertEquals(find.get(null, "a")?.is_found, 0);
    assertEquals(find.get("a", null)?.is_found, 0);
  } finally {
    connection.close();
  }
});
