import { denoArguments } from "../../src/cli/recto.ts";
import { assertEquals, assertStringIncludes } from "../assert.ts";
import { freePort } from "../support/ports.ts";
import { withFolder } from "../support/folders.ts";

const { lock } = JSON.parse(await Deno.readTextFile("deno.json"));
const GRANTED = denoArguments("serve", [], {}).filter((word) => word.startsWith("--allow-"));

/** Permissions of `deno task start` without one name of one of them, and what is said of it. */
const MISSING: readonly (readonly [flag: string, name: string | undefined, said: string])[] = [
  ["--allow-net", undefined, "Requires net access"],
  ["--allow-read", ".data", "Requires read access"],
  ["--allow-read", "policy", "policy/scopes.json cannot be read"],
  ["--allow-read", "spec", "spec/openapi.json cannot be read"],
  ["--allow-write", ".data", "Requires write access"],
  ["--allow-env", "PORT", 'Requires env access to "PORT"'],
  ["--allow-env", "RECTO_POLICY_FILE", 'Requires env access to "RECTO_POLICY_FILE"'],
];

/** Starts the service, which does not start, and answers what it says to a person. */
async function complaint(folder: string, flags: readonly string[]): Promise<string> {
  const root = Deno.cwd();
  for (const name of ["policy", "spec", "src"]) {
    await Deno.symlink(`${root}/${name}`, `${folder}/${name}`);
  }
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", ...flags, `${root}/main.ts`],
    cwd: folder,
    env: { PORT: String(freePort()) },
  }).output();
  assertEquals(code, 1);
  return new TextDecoder().decode(stderr);
}

for (const [flag, name, said] of MISSING) {
  Deno.test(`Case 73: without ${flag} ${name ?? ""} the service says so in a sentence, and does not start`, () =>
    withFolder(async (folder) => {
      const flags = GRANTED.flatMap((one) => {
        const [granted, names = ""] = one.split("=");
        if (granted !== flag) return [one];
        const rest = names.split(",").filter((each) => each !== name && each !== "");
        return rest.length === 0 ? [] : [`${flag}=${rest.join(",")}`];
      });
      assertEquals(flags.join().length < GRANTED.join().length, true, "one is missing");
      const text = await complaint(folder, flags);
      assertStringIncludes(text, said);
      assertEquals(/Uncaught|\n {4}at /.test(text), false, text);
    }));
}

Deno.test("Case 73: what is installed is what the lock file says, and nothing is imported from elsewhere", async () => {
  assertEquals(lock, { path: "deno.lock", frozen: true });
  const { imports } = JSON.parse(await Deno.readTextFile("deno.json"));
  const loose = Object.entries<string>(imports).filter(([, target]) =>
    !/^npm:\/?(?:@[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+(?:\/|$)/.test(target)
  );
  assertEquals(loose, [], "each names one version");
  const found: string[] = [];
  for (const path of sources("src")) {
    const text = await Deno.readTextFile(path);
    if (/(?:from|import\()\s*"(?:https?|npm|jsr):/.test(text)) found.push(path);
  }
  assertEquals(found, []);
});

function sources(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return sources(`${folder}/${name}`);
    return name.endsWith(".ts") ? [`${folder}/${name}`] : [];
  });
}
