import { LOG_LEVELS, type LogLevel } from "../../src/shared/log.ts";
import { withApp } from "../support/app.ts";
import { assertEquals } from "../assert.ts";

/** Returns the level and status of each request's line. */
async function logged(level: LogLevel): Promise<unknown[]> {
  const shown: unknown[] = [];
  await withApp(async ({ app, call, lines }) => {
    await call("GET /healthz", { token: null });
    await call("GET /metrics", { token: null });
    await call("GET /v2/users/me");
    await call("GET /v2/users/me", { token: null });
    void app.drain();
    await call("GET /readyz", { token: null });
    shown.push(...lines.filter(({ status }) => status !== undefined));
  }, { environment: { RECTO_LOG_LEVEL: level } });
  return shown.map((line) => {
    const { level, route, status } = line as Record<string, unknown>;
    return `${level} ${route} ${status}`;
  });
}

Deno.test("monitors are logged at debug, refused requests at info, failures at error", async () => {
  const monitors = ["debug /healthz 200", "debug /metrics 200"];
  const requests = ["info /v2/users/:user_id 200", "info /v2/users/:user_id 401"];
  const failures = ["error /readyz 503"];
  assertEquals(await logged("debug"), [...monitors, ...requests, ...failures]);
  assertEquals(await logged("info"), [...requests, ...failures]);
  assertEquals(await logged("warn"), failures);
  assertEquals(await logged("off"), []);
  assertEquals(LOG_LEVELS.length, 5);
});
