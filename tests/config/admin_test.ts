import { ConfigError, readConfig } from "../../src/config/config.ts";
import { assertEquals, assertNotEquals, assertThrows } from "../assert.ts";

type Environment = Readonly<Record<string, string>>;

const read = (environment: Environment) => readConfig((name) => environment[name]);

Deno.test("the admin port listens on loopback by default, and cannot be the port of clients", () => {
  assertEquals(read({}).admin, undefined);
  assertEquals(read({ RECTO_ADMIN_PORT: "9000" }).admin, { host: "127.0.0.1", port: 9000 });
  assertEquals(
    read({ RECTO_ADMIN_PORT: "9000", RECTO_ADMIN_HOST: "0.0.0.0" }).admin,
    { host: "0.0.0.0", port: 9000 },
  );
  const issue = "RECTO_ADMIN_PORT must be another port than PORT";
  assertThrows(() => read({ RECTO_ADMIN_PORT: "8000" }), ConfigError, issue);
  const missing = "RECTO_ADMIN_PORT must be set if RECTO_ADMIN_HOST is";
  assertThrows(() => read({ RECTO_ADMIN_HOST: "0.0.0.0" }), ConfigError, missing);
});

Deno.test("the digest of a configuration changes with its settings, and never with a secret", () => {
  const digest = (environment: Environment) => read(environment).digest;
  assertEquals(digest({}).length, 12);
  assertNotEquals(digest({ PORT: "8001" }), digest({}));
  assertNotEquals(digest({ RECTO_RATE_LIMIT: "5/s" }), digest({ RECTO_RATE_LIMIT: "6/s" }));
  assertEquals(digest({ PORT: "8000", RECTO_LOG_LEVEL: "info" }), digest({}));
  assertEquals(digest({ RATE_LIMIT: "5/s" }), digest({ RECTO_RATE_LIMIT: "5/s" }));
  const database = (password: string) => ({ DATABASE_URL: `postgres://a:${password}@b/c` });
  assertEquals(digest(database("one")), digest(database("two")));
});
