import fc from "fast-check";
import {
  answerProperties,
  cellsOf,
  convertValue,
  editValues,
  emptyCell,
  hasCells,
  newValues,
  type Values,
} from "../../../src/content/properties/mod.ts";
import { assert, assertEquals } from "../../assert.ts";
import { inputs, VALUES } from "./arbitraries.ts";
import { ANN, BOB, CONTEXT, issuesOf, read, SCHEMA, valuesOf } from "./samples.ts";

/** Returns the part of a reply that clients may write back. */
function written(values: Values): Record<string, unknown> {
  const answer = answerProperties(SCHEMA, values, CONTEXT);
  return Object.fromEntries(Object.entries(answer).filter(([, { type }]) => type in VALUES));
}

Deno.test("writing back the values of a response changes nothing, whoever writes", () => {
  fc.assert(fc.property(inputs, (input) => {
    const values = valuesOf(input);
    const back = written(values);
    assertEquals(issuesOf(back, values), []);
    assertEquals(editValues(SCHEMA, read(back), { by: BOB, values }), values);
  }));
});

Deno.test("writing the values of a response to a new row makes the same row", () => {
  fc.assert(fc.property(inputs, (input) => {
    const values = valuesOf(input);
    assertEquals(newValues(SCHEMA, read(written(values)), { by: ANN }), values);
  }));
});

Deno.test("stored values survive JSON", () => {
  fc.assert(fc.property(inputs, (input) => {
    const values = valuesOf(input);
    assertEquals(JSON.parse(JSON.stringify(values)), values);
  }));
});

Deno.test("every property with cells has at least one in every row, counted from 0", () => {
  fc.assert(fc.property(inputs, (input) => {
    const values = valuesOf(input);
    const cells = Map.groupBy(cellsOf(SCHEMA, values), (cell) => cell.propertyId);
    assertEquals(
      [...cells.keys()],
      SCHEMA.filter(({ type }) => hasCells(type)).map(({ id }) => id),
    );
    for (const own of cells.values()) {
      assertEquals(own.map((cell) => cell.ordinal), own.map((_, index) => index));
      for (const { number, key, text } of own) {
        assert(text === null || key !== null, "a text has a sort key");
        assert(number === null || Number.isFinite(number));
      }
    }
  }));
});

Deno.test("an empty value has the one cell that its type fills new properties with", () => {
  for (const { type, id } of SCHEMA.filter(({ type }) => hasCells(type))) {
    const [cell, ...others] = cellsOf(SCHEMA, {}).filter((cell) => cell.propertyId === id);
    assertEquals([cell, others], [{ propertyId: id, ordinal: 0, ...emptyCell(type) }, []] as never);
  }
});

Deno.test("equal values have equal cells", () => {
  fc.assert(fc.property(inputs, (input) => {
    const values = valuesOf(input);
    const again = valuesOf(written(values));
    assertEquals(cellsOf(SCHEMA, again), cellsOf(SCHEMA, values));
  }));
});

Deno.test("convertValue() returns only values that a client could have written", () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const values = valuesOf(input);
      for (const from of SCHEMA.filter(({ type }) => type in VALUES && type !== "title")) {
        for (const to of SCHEMA.filter(({ type }) => type in VALUES && type !== "title")) {
          const value = convertValue(values[from.id], from, to);
          const converted = value === undefined ? {} : { [to.id]: value };
          const back = written(converted);
          assertEquals(issuesOf(back, converted), []);
          assertEquals(editValues(SCHEMA, read(back), { by: BOB, values: converted }), converted);
        }
      }
    }),
    { numRuns: 30 },
  );
});
