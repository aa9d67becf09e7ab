import { assertEquals } from "../assert.ts";
import { openSchema } from "../support/stores.ts";

Deno.test("a connection prepares no more statements than it can keep", async () => {
  const { connection } = await openSchema();
  try {
    const [[count] = []] = await connection.reading(async (session) => {
      const ask = (number: number) => session.send(`SELECT $1::integer + ${number}`, [1]);
      const sums = await Promise.all(Array.from({ length: 600 }, (_, index) => ask(index)));
      assertEquals(sums.map(([row]) => row?.[0]), Array.from({ length: 600 }, (_, i) => i + 1));
      assertEquals(await ask(599), sums[599]);
      return await session.send("SELECT count(*) FROM pg_prepared_statements", []);
    });
    assertEquals(Number(count) > 400 && Number(count) <= 500, true);
  } finally {
    await connection.close();
  }
});
