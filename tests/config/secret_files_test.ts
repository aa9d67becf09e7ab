import { ConfigError, readConfig } from "../../src/config/config.ts";
import {
  fileVariables,
  readVariables,
  unknownVariables,
  VARIABLES,
  type VariableSpec,
} from "../../src/config/variables.ts";
import { readConnection } from "../../src/cli/transfer/connection.ts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "../assert.ts";
import { withFolder } from "../support/folders.ts";

type Values = Readonly<Record<string, string>>;

const get = (values: Values) => (name: string): string | undefined => Reflect.get(values, name);

function read(values: Values, files: Values): ReturnType<typeof readVariables> {
  return readVariables(get(values), (path) => {
    const text = files[path];
    if (text === undefined) throw new Deno.errors.NotFound();
    return text;
  });
}

Deno.test("every secret variable, and no other, can be read from the file that NAME_FILE names", () => {
  const secrets = Object.entries<VariableSpec<unknown>>(VARIABLES)
    .filter(([, { isSecret }]) => isSecret).map(([name]) => name);
  assert(secrets.includes("DATABASE_URL") && secrets.includes("RECTO_S3_SECRET"));
  assertEquals(fileVariables(), secrets.map((name) => `${name}_FILE`));
  for (const name of secrets) {
    const { settings, issues } = read({ [`${name}_FILE`]: "/s" }, { "/s": "value" });
    assertEquals([issues, Reflect.get(settings, name)], [[], "value"]);
  }
  assertEquals(read({ PORT_FILE: "/s" }, { "/s": "1" }).settings.PORT, undefined);
  assertStringIncludes(unknownVariables(["RECTO_S3_REGION_FILE"]).join(), "is not a setting");
  assertEquals(unknownVariables(["RECTO_S3_SECRET_FILE"]), []);
});

Deno.test("line breaks at the end of a secret's file are no part of it, spaces are", () => {
  for (const end of ["", "\n", "\r\n", "\n\n"]) {
    const { settings } = read({ RECTO_S3_SECRET_FILE: "/s" }, { "/s": ` a b ${end}` });
    assertEquals(settings.RECTO_S3_SECRET, " a b ");
  }
});

Deno.test("a secret that is set twice, missing, empty or of several lines is refused, and never quoted", () => {
  const issues = (values: Values) => {
    const found = read({ RECTO_S3_SECRET_FILE: "/s", ...values }, { "/e": "\n", "/l": "top\nlow" });
    assertEquals(found.settings.RECTO_S3_SECRET, undefined);
    return found.issues;
  };
  const twice = "RECTO_S3_SECRET and RECTO_S3_SECRET_FILE must not both be set";
  assertEquals(issues({ RECTO_S3_SECRET: "top" }), [twice]);
  assertEquals(issues({ S3_SECRET: "top" }), [
    "S3_SECRET and RECTO_S3_SECRET_FILE must not both be set",
  ]);
  assertEquals(issues({}), [
    'RECTO_S3_SECRET_FILE names a file that cannot be read (it does not exist): "/s"',
  ]);
  assertEquals(issues({ RECTO_S3_SECRET_FILE: "/e" }), [
    'RECTO_S3_SECRET_FILE names an empty file: "/e"',
  ]);
  assertEquals(issues({ RECTO_S3_SECRET_FILE: "/l" }), [
    'RECTO_S3_SECRET_FILE names a file with several lines: "/l"',
  ]);
});

Deno.test("readConfig() reports faults of secret files together with all others", () => {
  const values = { DATABASE_URL_FILE: "/nowhere/url", PORT: "x" };
  const { issues } = assertThrows(() => readConfig(get(values)), ConfigError);
  assertEquals(issues.map((issue) => issue.split(" ")[0]).toSorted(), [
    "DATABASE_URL_FILE",
    "PORT",
  ]);
});

Deno.test("readConfig() takes the database from a file", () =>
  withFolder(async (folder) => {
    const path = `${folder}/url`;
    await Deno.writeTextFile(path, "postgres://recto:p@db.test/recto\n");
    const { database } = readConfig(get({ DATABASE_URL_FILE: path }));
    assertEquals(database, { kind: "postgres", url: "postgres://recto:p@db.test/recto", size: 10 });
  }));

Deno.test("export and import take their token from a file", () =>
  withFolder(async (folder) => {
    const path = `${folder}/token`;
    await Deno.writeTextFile(path, "secret-token\n");
    const connection = readConnection({}, get({ RECTO_TOKEN_FILE: path }));
    assert(typeof connection !== "string");
    assertEquals(connection.token, "secret-token");
    const both = readConnection({}, get({ RECTO_TOKEN_FILE: path, RECTO_TOKEN: "t" }));
    assertEquals(both, "RECTO_TOKEN and RECTO_TOKEN_FILE must not both be set");
  }));
