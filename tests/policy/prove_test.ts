import fc from "fast-check";
import { certify } from "../../src/policy/analysis/certificate.ts";
import type { Invariant } from "../../src/policy/analysis/invariant_schema.ts";
import { parsePolicyFile, type PolicyFile, type Rule } from "../../src/policy/schema.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";
import {
  FIELDS,
  fulfils,
  inOrder,
  largest,
  ROUTES,
  SCOPES,
  smallest,
  smallPolicies,
} from "./small.ts";
// @ts-ignore: it is plain JavaScript, because it must not depend on anything of this project.
import { verify as check } from "../../policy/verify_certificate.mjs";

const verify: (policy: string, certificate: string) => string[] = check;

const tokens = fc.subarray([...SCOPES.slice(3), "*.read", "a.*", "acr:*", "*"]);
const calls = fc.subarray([...ROUTES.slice(2), "*", "reads", "writes", "GET *"], { minLength: 1 });
const fields = fc.subarray([...FIELDS, "*.email"], { minLength: 1 });
const statement: fc.Arbitrary<Invariant> = fc.record({
  name: fc.constant("It holds"),
  tokens: fc.record({ with: tokens, only: tokens, without: tokens }, { requiredKeys: [] }),
  canCall: calls,
  cannotCall: calls,
  canSee: fields,
  cannotSee: fields,
  except: calls,
}, { requiredKeys: ["name", "tokens"] });

const files: fc.Arbitrary<PolicyFile> = fc.record({
  policy: smallPolicies,
  safe: fc.subarray(["POST /v2/b"]).map((names) => new Set(names)),
  invariants: fc.array(statement, { maxLength: 3 }),
}).map((file) => ({ ...file, notes: new Map() }));

/** A policy file as its author would write it. */
function textOf({ policy, safe, invariants }: PolicyFile): string {
  const raw = ({ public: isPublic, alternatives }: Rule): unknown => {
    if (isPublic) return "public";
    return alternatives.length === 1 ? alternatives[0] : { anyOf: alternatives };
  };
  const table = (rules: ReadonlyMap<string, Rule>) =>
    Object.fromEntries([...rules].map(([name, rule]) => [name, raw(rule)]));
  return JSON.stringify({
    scopes: Object.fromEntries(policy.scopes),
    routes: table(policy.routes),
    fields: table(policy.fields),
    safe: [...safe],
    invariants,
  });
}

Deno.test("a certificate has exactly the smallest allowed and the largest refused tokens", () => {
  fc.assert(
    fc.property(files, (file) => {
      const { routes, fields } = certify(file);
      for (
        const [certified, rules] of [[routes, file.policy.routes], [
          fields,
          file.policy.fields,
        ]] as const
      ) {
        assertEquals(Object.keys(certified), [...rules.keys()]);
        for (const [name, { allowed, refusedAllBut }] of Object.entries(certified)) {
          const opens = (held: ReadonlySet<string>) => fulfils(rules.get(name), held);
          assertEquals(inOrder(allowed), smallest(opens));
          const refused = refusedAllBut.map((lacks) =>
            SCOPES.filter((one) => !lacks.includes(one))
          );
          assertEquals(inOrder(refused), largest((held) => !opens(held)));
        }
      }
    }),
    { numRuns: 400 },
  );
});

Deno.test("the independent checker accepts every certificate", () => {
  fc.assert(
    fc.property(files, (file) => {
      assertEquals(verify(textOf(file), JSON.stringify(certify(file))), []);
    }),
    { numRuns: 1_500 },
  );
});

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Every text that differs from a JSON value in one place. */
function* tampered(value: Json): Generator<Json> {
  if (typeof value === "boolean") yield !value;
  else if (typeof value === "number") yield value + 1;
  else if (typeof value === "string") yield `${value}x`;
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield value.toSpliced(index, 1);
      for (const other of tampered(item)) yield value.with(index, other);
    }
    yield [...value, value[0] ?? "a.read"];
  } else if (value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const { [name]: _, ...rest } = value;
      yield rest;
      for (const other of tampered(member)) yield { ...value, [name]: other };
    }
  }
}

/** Returns the verdict of the checker, which also refuses a certificate that it cannot read. */
function isAccepted(policy: string, certificate: Json): boolean {
  try {
    return verify(policy, JSON.stringify(certificate)).length === 0;
  } catch {
    return false;
  }
}

Deno.test("the checker refuses a certificate that was changed in any one place", () => {
  let changes = 0;
  for (const file of fc.sample(files, { numRuns: 60, seed: 11 })) {
    const policy = textOf(file);
    const certificate: Json = JSON.parse(JSON.stringify(certify(file)));
    for (const changed of tampered(certificate)) {
      changes++;
      assert(!isAccepted(policy, changed), JSON.stringify(changed));
    }
  }
  assert(changes > 2_000, `${changes}`);
});

Deno.test("the checker refuses the certificate of another policy", () => {
  fc.assert(
    fc.property(files, files, (one, other) => {
      const [ours, theirs] = [textOf(one), textOf(other)];
      const isSame = JSON.stringify(certify(one)) === JSON.stringify(certify(other));
      assertEquals(isAccepted(theirs, JSON.parse(JSON.stringify(certify(one)))), isSame, ours);
    }),
    { numRuns: 500 },
  );
});

async function run(command: string, args: readonly string[]): Promise<[number, string]> {
  const { code, stdout } = await new Deno.Command(command, { args: [...args], stderr: "null" })
    .output();
  return [code, new TextDecoder().decode(stdout)];
}

Deno.test("policy prove certifies the live policy, and the checker runs by itself", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const out = `${folder}/certificate.json`;
    const cli = [
      "run",
      "--no-prompt",
      "--allow-env",
      "--allow-read",
      "--allow-run",
      "src/cli/recto.ts",
    ];
    assertEquals(await run(Deno.execPath(), [...cli, "policy", "prove", "--out", out]), [
      0,
      `Wrote ${out}\n`,
    ]);
    const checker = ["run", "--allow-read", "policy/verify_certificate.mjs", "policy/scopes.json"];
    assertEquals(await run(Deno.execPath(), [...checker, out]), [0, "The certificate is right\n"]);
    const text = await Deno.readTextFile(out);
    await Deno.writeTextFile(out, text.replace('"holds": true', '"holds": false'));
    const [code, fault] = await run(Deno.execPath(), [...checker, out]);
    assertEquals(code, 1);
    assertMatch(fault, /^Wrong: "/);
    const file = parsePolicyFile(await Deno.readTextFile("policy/scopes.json"));
    assertEquals(JSON.parse(text).digest, certify(file).digest);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
