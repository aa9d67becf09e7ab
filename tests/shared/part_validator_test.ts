import fc from "fast-check";
import * as v from "valibot";
import { removeUnknownNames } from "../../src/http/input.ts";
import { createPartValidator, part } from "../../src/shared/part_validator.ts";
import { assert, assertEquals } from "../assert.ts";

/** How often a leaf was validated. */
let validated = 0;

const leaf = part(v.strictObject({
  size: v.pipe(
    v.number(),
    v.check(() => {
      validated++;
      return true;
    }),
    v.minValue(0),
    v.transform(String),
  ),
}));

interface Tree {
  readonly leaves: readonly { readonly size: string }[];
  readonly trees?: readonly Tree[];
}

const tree: v.GenericSchema<unknown, Tree> = part(v.lazy(() =>
  v.strictObject({
    leaves: v.pipe(v.array(leaf), v.maxLength(4)),
    trees: v.exactOptional(v.array(tree)),
  })
));

const leaves = (size: fc.Arbitrary<unknown>) =>
  fc.array(fc.oneof({ arbitrary: fc.record({ size }), weight: 9 }, fc.jsonValue()), {
    maxLength: 5,
  });

/** Trees of which some are not valid. */
const { values } = fc.letrec((tie) => ({
  values: fc.record({
    leaves: leaves(fc.integer({ min: -1, max: 60 })),
    trees: fc.array(tie("values"), { maxLength: 3 }),
  }, { requiredKeys: ["leaves"] }),
}));

Deno.test("a value that is validated part by part has the result of a validation at once", async () => {
  await fc.assert(
    fc.asyncProperty(values, fc.boolean(), async (value, abortEarly) => {
      const validator = createPartValidator({ slice: -1, least: 1 });
      await validator.validateParts(tree, value);
      const read = validator.safeParse(tree, value, { abortEarly });
      const expected = v.safeParse(tree, structuredClone(value), { abortEarly });
      assertEquals<unknown>(
        [read.success, read.output, read.issues?.map(({ message, path }) => [message, path])],
        [
          expected.success,
          expected.output,
          expected.issues?.map(({ message, path }) => [message, path]),
        ],
      );
    }),
    { numRuns: 500 },
  );
});

Deno.test("each part is validated once, and other work is done in between", async () => {
  const one = () => ({ leaves: [0, 1, 2, 3].map((size) => ({ size })) });
  const value = { ...one(), trees: Array.from({ length: 5 }, one) };
  const validator = createPartValidator({ slice: -1, least: 1 });
  validated = 0;
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setTimeout(count, 0);
  };
  const counting = setTimeout(count, 0);
  await validator.validateParts(tree, value);
  isDone = true;
  clearTimeout(counting);
  assertEquals(validated, 24);
  assert(turns > 12, `${turns} turns`);
  assertEquals(validator.safeParse(tree, value).success, true);
  assertEquals(validated, 24);
});

const extra = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.nat(), { maxKeys: 3 });

/** A tree with unknown names, of these smaller ones. */
function named(trees: fc.Arbitrary<readonly object[]>) {
  const leaves = fc.array(fc.tuple(extra, fc.nat()), { maxLength: 4 });
  return fc.tuple(extra, leaves, trees).map(([extra, sizes, trees]) => ({
    ...extra,
    leaves: sizes.map(([extra, size]) => ({ size, ...extra })),
    trees,
  }));
}

const small = named(fc.constant([]));
const grown = named(fc.array(fc.oneof(small, named(fc.array(small))), { maxLength: 3 }));

interface Named {
  readonly leaves: readonly { readonly size: number }[];
  readonly trees: readonly object[];
}

function withoutExtra(value: object): object {
  // Sound because all trees here are made by `named()`.
  const { leaves, trees } = value as Named;
  return { leaves: leaves.map(({ size }) => ({ size })), trees: trees.map(withoutExtra) };
}

Deno.test("unknown names of parts are removed, wherever they are", async () => {
  await fc.assert(fc.asyncProperty(grown, async (value) => {
    const expected = v.parse(tree, withoutExtra(value));
    const validator = createPartValidator({ slice: -1, least: 1, repair: removeUnknownNames });
    await validator.validateParts(tree, value);
    assertEquals<unknown>(validator.safeParse(tree, value).output, expected);
  }));
});

Deno.test("a part with more unknown names than are removed is not valid", async () => {
  const names = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`n${n}`, n]));
  const validator = createPartValidator({ slice: -1, least: 1, repair: removeUnknownNames });
  const value = { leaves: [{ size: 1, ...names }] };
  await validator.validateParts(tree, value);
  assertEquals(Object.keys(value.leaves[0] ?? {}), ["size", "n8"]);
});

Deno.test("a schema of parts validates as before where no validator runs", () => {
  validated = 0;
  const value = { leaves: [{ size: 1 }] };
  for (let n = 1; n <= 2; n++) {
    assertEquals<unknown>(v.parse(tree, value), { leaves: [{ size: "1" }] });
    assertEquals(validated, n);
  }
});
