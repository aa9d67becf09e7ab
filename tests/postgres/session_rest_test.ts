import { createSessionRest } from "../../src/store/postgres/session_rest.ts";
import { assertEquals } from "../assert.ts";
import { openSchema } from "../support/stores.ts";

Deno.test("work that pauses in a transaction sends a statement before the server takes it as idle", async () => {
  const { connection } = await openSchema();
  const { session } = connection;
  try {
    const sent: string[] = [];
    const counted = { ...session, send: (sql: string) => (sent.push(sql), session.send(sql, [])) };
    const isDue = true;
    await createSessionRest(counted, Infinity)(isDue);
    assertEquals(sent, []);
    await createSessionRest(counted, 0)(isDue);
    assertEquals(sent, ["SELECT"]);
  } finally {
    await connection.close();
  }
});
