/**
 * The document follows what the sources say, and nothing else of them.
 *
 * @module
 */
import { policyRoutes } from "../../src/api/endpoints.ts";
import { checkBundle } from "../../src/policy_runtime/policy_bundle.ts";
import { parseMeta } from "../../src/openapi/meta.ts";
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "../assert.ts";
import { policyText } from "../policy_runtime/support.ts";

const OTHER_STYLE = ["--line-width", "60", "--use-tabs", "--single-quote", "--no-semicolons"];

/** A copy of all that the document is made of, put away after the test. */
async function withSources(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  try {
    for (const name of ["src", "policy", "spec", "deno.json", "deno.lock"]) {
      await run("cp", ["-r", name, folder]);
    }
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function attempt(
  command: string,
  args: readonly string[],
  { env, ...options }: RunOptions = {},
): Promise<Ran> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    ...options,
    env: { NO_COLOR: "1", ...env },
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

/** Standard output of a command that succeeds. */
async function run(
  command: string,
  args: readonly string[],
  options?: RunOptions,
): Promise<string> {
  const { code, out, err } = await attempt(command, args, options);
  assertEquals(code, 0, err + out);
  return out;
}

/** Runs the task as it stands in deno.json, with what it is permitted there. */
const SPEC = ["task", "--quiet", "spec"];

function writeSpec(folder: string, env?: RunOptions["env"]): Promise<string> {
  return run(Deno.execPath(), SPEC, { cwd: folder, ...(env && { env }) });
}

async function metaIn(folder: string) {
  const meta = parseMeta(await Deno.readTextFile(`${folder}/spec/meta.json`));
  assert(meta !== undefined);
  return meta;
}

Deno.test("sources that are formatted otherwise make the same document and metadata", () =>
  withSources(async (folder) => {
    const file = `${folder}/src/api/users/endpoints.ts`;
    const before = await Deno.readTextFile(file);
    await run(Deno.execPath(), ["fmt", "-q", "--no-config", ...OTHER_STYLE, "src"], {
      cwd: folder,
    });
    assertNotEquals(await Deno.readTextFile(file), before);
    assertEquals(await writeSpec(folder), "spec/openapi.json is up to date\n");
  }));

Deno.test("one description that changes in the sources changes etag and generatedAt", () =>
  withSources(async (folder) => {
    const before = await metaIn(folder);
    const file = `${folder}/src/api/users/endpoints.ts`;
    const text = await Deno.readTextFile(file);
    const changed = text.replace("Reads a person or bot", "Reads a bot or person");
    assertNotEquals(changed, text);
    await Deno.writeTextFile(file, changed);
    assertEquals(await writeSpec(folder), "Wrote spec/openapi.json\nWrote spec/meta.json\n");
    const { etag, generatedAt, ...counts } = await metaIn(folder);
    assertNotEquals(etag, before.etag);
    assert(generatedAt > before.generatedAt, generatedAt);
    assertEquals(counts, { pathCount: before.pathCount, schemaCount: before.schemaCount });
  }));

Deno.test("another policy has a document of its own, which the server takes, by the command that it names", () =>
  withSources(async (folder) => {
    const policy = "policy/ours.json";
    const copy = (from: string, to: string) => Deno.copyFile(from, `${folder}/${to}`);
    await Deno.writeTextFile(
      `${folder}/${policy}`,
      policyText((raw) => {
        raw.fields["user.person.email"] = ["users.read", "users.email.read"];
      }),
    );
    await copy("spec/openapi.json", "policy/ours.openapi.json");
    await copy("spec/meta.json", "policy/ours.meta.json");
    const refusals = async () => {
      const paths = { policy, document: "policy/ours.openapi.json", meta: "policy/ours.meta.json" };
      const textOf = (path: string) => Deno.readTextFile(`${folder}/${path}`);
      const texts = {
        policy: await textOf(paths.policy),
        document: await textOf(paths.document),
        meta: await textOf(paths.meta),
      };
      const checked = await checkBundle(texts, { paths, routes: policyRoutes });
      return checked.ok ? [] : checked.issues;
    };
    assertEquals(await refusals(), [
      "Document and policy differ beyond the routes: " +
      `run \`RECTO_POLICY_FILE=${policy} deno task spec\` after changing ${policy}`,
    ]);
    const env = { RECTO_POLICY_FILE: policy };
    const { code, out } = await attempt(Deno.execPath(), [...SPEC, "--check"], {
      cwd: folder,
      env,
    });
    assertEquals(code, 1);
    assert(out.endsWith(`Run: RECTO_POLICY_FILE=${policy} deno task spec\n`), out);
    assertEquals(
      await writeSpec(folder, env),
      "Wrote policy/ours.openapi.json\nWrote policy/ours.meta.json\n",
    );
    assertEquals(await refusals(), []);
    const check = await attempt(Deno.execPath(), ["task", "--quiet", "policy", "check", policy], {
      cwd: folder,
    });
    assertEquals([check.code, check.err], [0, ""], check.out);
    // What is committed stays as it was.
    assertEquals(await writeSpec(folder), "spec/openapi.json is up to date\n");
  }));

Deno.test("a policy or an info.json that is none is told in sentences, all faults of both at once", () =>
  withSources(async (folder) => {
    await Deno.writeTextFile(
      `${folder}/policy/scopes.json`,
      policyText(({ routes }) => {
        routes["POST /v2/search"] = [];
      }),
    );
    await Deno.writeTextFile(`${folder}/spec/info.json`, "{ license }");
    const { code, out, err } = await attempt(Deno.execPath(), SPEC, { cwd: folder });
    assertEquals([code, out], [2, ""]);
    const lines = err.trimEnd().split("\n");
    assertStringIncludes(lines[0] ?? "", "policy/scopes.json: POST /v2/search: The list is empty");
    assertStringIncludes(lines.at(-1) ?? "", "spec/info.json: Not JSON: ");
    assert(lines.every((line) => /^(?:policy\/scopes|spec\/info)\.json: /.test(line)), err);
  }));

const NEW_ENDPOINT = `
userEndpoints.push(define({
  method: "PATCH",
  path: "/v2/users/:user_id",
  operationId: "updateUser",
  tag: USERS,
  summary: "Update a user",
  description: "Renames a user.",
  params: v.strictObject({ user_id: v.pipe(userIdInput, v.description("ID of the user.")) }),
  body: component(v.strictObject({ name: v.string() }), "UserUpdateInput", "Changes to a user."),
  response: userSchema,
  example: { request: { name: "Ada" }, response: { ...example.user, type: "person", name: "Ada" } },
  handle: () => ({ body: {} }),
}));
import { component } from "../../shared/component.ts";
`;

async function editJson(file: string, edit: (json: Json) => void): Promise<void> {
  const json = JSON.parse(await Deno.readTextFile(file));
  edit(json);
  await Deno.writeTextFile(file, JSON.stringify(json));
}

interface Json {
  readonly routes: Record<string, unknown>;
  readonly cases: unknown[];
}

Deno.test("an endpoint is added in three files: its own, the policy and the policy's cases", () =>
  withSources(async (folder) => {
    const file = `${folder}/src/api/users/endpoints.ts`;
    await Deno.writeTextFile(file, NEW_ENDPOINT, { append: true });
    const { code, err } = await attempt(Deno.execPath(), SPEC, { cwd: folder });
    assertEquals(code, 2);
    assertStringIncludes(err, "PATCH /v2/users/:user_id");

    const call = "PATCH /v2/users/:user_id";
    await editJson(`${folder}/policy/scopes.json`, ({ routes }) => {
      routes[call] = ["pages.write"];
    });
    await editJson(`${folder}/policy/cases/users.json`, ({ cases }) => {
      cases.push(
        { call, scopes: ["pages.write"], effect: "allow" },
        { call, allBut: ["pages.write"], effect: "deny", missing: [["pages.write"]] },
      );
    });
    assertEquals(
      await writeSpec(folder),
      "Wrote spec/openapi.json\nWrote spec/meta.json\nWrote policy/scopes.schema.json\n",
    );
    const policy = ["task", "--quiet", "policy"];
    await run(Deno.execPath(), [...policy, "fmt"], { cwd: folder });
    assertEquals(await run(Deno.execPath(), [...policy, "check"], { cwd: folder }), "No finding\n");
    const tested = await run(Deno.execPath(), [...policy, "test"], { cwd: folder });
    assert(/ cases passed, 0 failed\n(\d+) of \1 boundary points covered/.test(tested), tested);

    const { paths, components } = JSON.parse(
      await Deno.readTextFile(`${folder}/spec/openapi.json`),
    );
    const { tags, requestBody } = paths["/v2/users/{user_id}"].patch;
    assertEquals(tags, ["Users"]);
    assertEquals(requestBody.content["application/json"].examples.usual.value, { name: "Ada" });
    assertEquals(components.schemas.UserUpdateInput.description, "Changes to a user.");
  }));
