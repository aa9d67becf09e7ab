import { kindOf } from "../../../src/content/properties/mod.ts";
import { storedIn } from "../../../src/content/properties/property_kind.ts";
import { propertyKinds } from "../../../src/content/properties/registry.ts";
import { assert, assertEquals } from "../../assert.ts";
import fc from "fast-check";
import { inputs } from "./arbitraries.ts";
import { CONTEXT, SCHEMA, valuesOf } from "./samples.ts";

/** A row whose surroundings nobody may ask for. */
const ALONE = {
  node: CONTEXT.node,
  links: () => refuse("links"),
  computed: () => refuse("computed values"),
  get now(): number {
    return refuse("the time");
  },
};

function refuse(what: string): never {
  throw new Error(`A self-contained value asked for ${what}`);
}

const contained = SCHEMA.filter((property) => kindOf(property).isSelfContained === true);

Deno.test("values of self-contained types are read from the row alone", () => {
  assert(contained.length > 10);
  fc.assert(fc.property(inputs, (input) => {
    const values = valuesOf(input);
    for (const property of contained) {
      const stored = storedIn(values, property);
      const alone = kindOf(property).toRead(stored, property, ALONE);
      assertEquals(alone, kindOf(property).toRead(stored, property, CONTEXT));
    }
  }));
});

Deno.test("types that show users, other rows or the time are not self-contained", () => {
  const others = propertyKinds.filter(([, kind]) => kind.isSelfContained !== true);
  assertEquals(
    others.map(([type]) => type).sort(),
    [
      ...["created_by", "formula", "last_edited_by", "people", "relation", "rollup"],
      "verification",
    ],
  );
  for (const [, { userIds, isSelfContained }] of propertyKinds) {
    assert(userIds === undefined || isSelfContained !== true);
  }
});
