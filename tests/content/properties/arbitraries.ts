/**
 * Random valid inputs of every type of property.
 *
 * @module
 */
import fc from "fast-check";
import type { PropertyType } from "../../../src/content/schema/property.ts";
import { anyId, date, richText, url } from "../arbitraries.ts";
import { nameOf } from "./samples.ts";

const colour = fc.constantFrom("Red", "Green", "Blue");
const step = fc.constantFrom("Later", "Doing", "Done");
const named = (names: fc.Arbitrary<string>) =>
  fc.oneof(names.map((name) => ({ name })), names.map((name) => ({ id: `id of ${name}` })));
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
const short = fc.option(text);
const some = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 5 });

/** A value of each type that clients write. */
export const VALUES: Readonly<Partial<Record<PropertyType, fc.Arbitrary<unknown>>>> = {
  title: richText,
  rich_text: richText,
  number: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  select: fc.option(named(colour)),
  multi_select: some(named(colour)),
  status: fc.option(named(step)),
  date: fc.option(date),
  people: some(fc.record({ id: anyId })),
  files: some(fc.record({ name: text, external: fc.record({ url }) })),
  checkbox: fc.boolean(),
  url: short,
  email: short,
  phone_number: short,
  place: fc.option(
    fc.record(
      {
        lat: fc.double({ min: -90, max: 90, noNaN: true }),
        lon: fc.double({ min: -180, max: 180, noNaN: true }),
        name: fc.option(text),
      },
      { requiredKeys: ["lat", "lon"] },
    ),
  ),
  verification: fc.oneof(
    fc.record({ state: fc.constantFrom("verified", "expired"), date: fc.option(date) }),
    fc.constant({ state: "unverified" }),
  ),
};

/** A whole row's input: some of the types, by name or id of the property. */
export const inputs: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.record(
  Object.fromEntries(
    // Sound because the table has types alone as keys.
    (Object.entries(VALUES) as [PropertyType, fc.Arbitrary<unknown>][]).map(([type, value]) => [
      nameOf(type),
      value.map((given) => ({ [type]: given })),
    ]),
  ),
  { requiredKeys: [] },
);
