import { startSharedClock } from "../../src/store/postgres/shared_clock.ts";
import { assert, assertEquals } from "../assert.ts";
import { withSchema } from "./support.ts";

const MINUTE = 60_000;

for (const minutes of [-2, 20]) {
  Deno.test(`a process whose clock is ${minutes} minutes off goes by the database's, and says so`, () =>
    withSchema(async (connection) => {
      const told: string[] = [];
      const local = () => Date.now() + minutes * MINUTE;
      const onNotice = (notice: string) => void told.push(notice);
      const clock = await startSharedClock(connection, { local, onNotice });
      // The database's is this machine's.
      assert(Math.abs(clock.now() - Date.now()) < MINUTE / 2);
      clock.stop();
      assertEquals(told.length, 1);
      assert(told[0]?.startsWith("The clock of the database is "), told[0]);
    }));
}

Deno.test("a process whose clock is the database's goes by its own", () =>
  withSchema(async (connection) => {
    const told: string[] = [];
    const local = () => Date.now();
    const onNotice = (notice: string) => void told.push(notice);
    const clock = await startSharedClock(connection, { local, onNotice });
    const [before, now, after] = [local(), clock.now(), local()];
    clock.stop();
    assert(before <= now && now <= after);
    assertEquals(told, []);
  }));
