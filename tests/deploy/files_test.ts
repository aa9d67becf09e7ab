import { parse } from "@std/yaml/parse";
import { validate } from "dockerfile-utils";
import config from "../../deno.json" with { type: "json" };
import { DENO_FLAGS } from "../../src/config/processes.ts";
import { unknownVariables, VARIABLES } from "../../src/config/variables.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { LAUNCHER } from "../support/recto.ts";

const DOCKERFILE = await Deno.readTextFile("deploy/Dockerfile");

/** The last instruction of a name, without continued lines. */
function instruction(name: string): string {
  const lines = DOCKERFILE.replaceAll("\\\n", "").split("\n");
  return lines.findLast((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? "";
}

Deno.test("the Dockerfile is valid: no finding of the linter", () => {
  assertEquals(validate(DOCKERFILE).map(({ message }) => message), []);
  assert(validate("FORM debian").length > 0, "the linter finds what is wrong");
});

Deno.test("the Dockerfile has three stages, and the last one runs as a user without rights", () => {
  assertEquals(DOCKERFILE.match(/^FROM /gm)?.length, 3);
  assertEquals(instruction("USER"), "65532:65532");
  assertEquals(instruction("VOLUME"), '["/data"]');
});

Deno.test("image, CI and CONTRIBUTING.md name one version of Deno", async () => {
  const version = /ARG DENO_VERSION=(\S+)/.exec(DOCKERFILE)?.[1];
  for (const file of [".ci/run", "CONTRIBUTING.md"]) {
    assertStringIncludes(await Deno.readTextFile(file), `deno@${version}`);
  }
});

Deno.test("the image starts the launcher as the tasks do, and its health check gets what it needs", () => {
  const entry: string[] = JSON.parse(instruction("ENTRYPOINT"));
  assertEquals(entry.filter((word) => word.startsWith("--allow")), LAUNCHER);
  const start = config.tasks.start.command.split(" ");
  assertEquals(start.filter((word) => word.startsWith("--allow")), LAUNCHER);
  assertStringIncludes(instruction("HEALTHCHECK"), "--allow-net=127.0.0.1");
});

Deno.test("all that the Dockerfile copies exists, and its context holds nothing else", async () => {
  const copied = [...DOCKERFILE.matchAll(/^COPY (?!--)(.*) \S+$/gm)]
    .flatMap(([, sources = ""]) => sources.split(" "));
  for (const path of copied) await Deno.stat(path);
  const context = (await Deno.readTextFile("deploy/Dockerfile.dockerignore")).split("\n")
    .filter((line) => line.startsWith("!")).map((line) => line.slice(1));
  assertEquals(context.toSorted(), copied.toSorted());
});

Deno.test("image and units give the launcher the options of V8 that other processes have", async () => {
  for (const file of ["Dockerfile", "systemd/recto.service", "systemd/recto-backup.service"]) {
    const text = await Deno.readTextFile(`deploy/${file}`);
    const [, flags] = /^(?:ARG |Environment=DENO_)V8_FLAGS=(.+)$/m.exec(text) ?? [];
    assertEquals([`--v8-flags=${flags}`], [...DENO_FLAGS], file);
  }
});

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly networks: readonly string[];
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, unknown>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>;
}

for (const name of ["sqlite", "postgres"]) {
  const path = `deploy/compose.${name}.yaml`;
  const { services, networks, volumes, secrets = {} } =
    // Sound because the tests below fail on any other shape.
    parse(await Deno.readTextFile(path)) as Compose;
  const recto = services.recto;

  Deno.test(`${path} names only settings that exist`, () => {
    const names = Object.keys(recto?.environment ?? {});
    assert(names.length > 3);
    assertEquals(unknownVariables(names), []);
    const values = Object.entries(recto?.environment ?? {});
    for (const [variable, value] of values.filter(([, value]) => !value.includes("${"))) {
      const spec = Object.entries(VARIABLES).find(([known]) => known === variable)?.[1];
      assert(spec === undefined || spec.accepts(value), `${variable}=${value}`);
    }
  });

  Deno.test(`${path} names only networks, volumes, secrets and services that it has`, () => {
    for (const service of Object.values(services)) {
      for (const network of service.networks) assert(network in networks, network);
      for (const secret of service.secrets ?? []) assert(secret in secrets, secret);
      for (const other of Object.keys(service.depends_on ?? {})) assert(other in services, other);
      for (const volume of service.volumes ?? []) {
        const [source = ""] = volume.split(":");
        if (source.startsWith("./")) Deno.statSync(`deploy/${source}`);
        else assert(source in volumes, source);
      }
    }
    const files = Object.entries(recto?.environment ?? {})
      .filter(([variable]) => variable.endsWith("_FILE")).map(([, file]) => file);
    assertEquals(files, (recto?.secrets ?? []).map((secret) => `/run/secrets/${secret}`));
  });

  Deno.test(`${path} runs Recto and its proxy on read-only roots without capabilities`, () => {
    for (const service of [recto, services.proxy]) {
      assertEquals([service?.read_only, service?.cap_drop], [true, ["ALL"]]);
    }
  });
}

Deno.test("the files for Traefik are YAML, and name each other's parts", async () => {
  const read = async (file: string) => parse(await Deno.readTextFile(`deploy/traefik/${file}`));
  // Sound because the assertions below fail on any other shape.
  const { entryPoints } = await read("traefik.yaml") as { entryPoints: Record<string, unknown> };
  const { http } = await read("recto.yaml") as {
    http: {
      routers: Record<string, { middlewares: string[]; entryPoints: string[]; service: string }>;
      middlewares: Record<string, unknown>;
      services: Record<string, unknown>;
    };
  };
  for (const router of Object.values(http.routers)) {
    for (const name of router.middlewares) assert(name in http.middlewares, name);
    for (const name of router.entryPoints) assert(name in entryPoints, name);
    assert(router.service in http.services);
  }
});

Deno.test("the sample settings of the systemd units are settings", async () => {
  const { readEnvFiles } = await import("../../src/cli/env_file.ts");
  const settings = readEnvFiles(["deploy/systemd/recto.env"]);
  assertEquals(unknownVariables(Object.keys(settings)), []);
  for (const [name, value] of Object.entries(settings)) {
    const spec = Object.entries(VARIABLES).find(([known]) => known === name)?.[1];
    assert(spec?.accepts(value), `${name}=${value}`);
  }
});
