import * as v from "valibot";
import type { PropertyType } from "../../../src/content/schema/property.ts";
import {
  answerProperties,
  editValues,
  newValues,
  properties,
  propertiesInput,
  propertiesWriter,
} from "../../../src/content/properties/mod.ts";
import { assert, assertEquals } from "../../assert.ts";
import {
  ANN,
  answerOf,
  BOB,
  CONTEXT,
  issuesOf,
  nameOf,
  read,
  SAMPLES,
  SCHEMA,
  valuesOf,
} from "./samples.ts";

// Sound because the table has types alone as keys.
const WRITTEN = Object.entries(SAMPLES) as [PropertyType, NonNullable<(typeof SAMPLES)["title"]>][];
const COMPUTED = SCHEMA.map(({ type }) => type).filter((type) => !(type in SAMPLES));

for (const [type, sample] of WRITTEN) {
  const name = nameOf(type);

  Deno.test(`a ${type} is written by name or id and read back`, () => {
    for (const key of [name, type]) {
      const input = { [key]: { [type]: sample.given } };
      assertEquals(issuesOf(input), []);
      assertEquals(answerOf(type, valuesOf(input)), sample.read);
    }
  });

  Deno.test(`a ${type} can be cleared, and is empty by default`, () => {
    const values = valuesOf({ [name]: { type, [type]: sample.given } });
    const input = { [name]: { [type]: sample.clear } };
    assertEquals(issuesOf(input, values), []);
    const cleared = editValues(SCHEMA, read(input), { by: BOB, values });
    assertEquals(answerOf(type, cleared), sample.empty);
    assert(!(type in cleared), "nothing is kept of an empty value");
    assertEquals(answerOf(type, {}), sample.empty);
  });

  Deno.test(`an invalid ${type} is rejected`, () => {
    for (const given of sample.refused) {
      assert(!v.is(propertiesInput, { [name]: { [type]: given } }), JSON.stringify(given));
    }
    for (const [given, pointer] of sample.faulty) {
      const issues = issuesOf({ [name]: { [type]: given } });
      assertEquals(issues.map((issue) => issue.pointer), [`/properties/${name}/${type}${pointer}`]);
    }
  });
}

for (const type of COMPUTED) {
  Deno.test(`a ${type} is computed and cannot be written`, () => {
    const name = nameOf(type);
    for (const value of [{ [type]: answerOf(type, {}) }, { rich_text: [] }, {}]) {
      assertEquals(issuesOf({ [name]: value }), [{
        pointer: `/properties/${name}`,
        detail: `\`${name}\` is computed: it cannot be written.`,
      }]);
    }
  });
}

Deno.test("computed values come from the row and its context", () => {
  assertEquals(COMPUTED.map((type) => [type, answerOf(type, { unique_id: 12 })]), [
    ["formula", { type: "string", string: "computed" }],
    ["rollup", { type: "number", number: 3, function: "sum" }],
    ["unique_id", { number: 12, prefix: "T" }],
    ["created_time", "2024-01-01T00:00:00.000Z"],
    ["created_by", { object: "user", id: ANN }],
    ["last_edited_time", "2024-01-02T03:04:05.006Z"],
    ["last_edited_by", { object: "user", id: BOB }],
    ["button", {}],
  ]);
  assertEquals(answerOf("unique_id", {}), { number: null, prefix: "T" });
});

const FULL = Object.fromEntries(
  WRITTEN.map(([type, { given }]) => [nameOf(type), { [type]: given }]),
);

Deno.test("values in responses match the output schema, and the same as JSON text", () => {
  for (const values of [{}, valuesOf(FULL)]) {
    const answer = answerProperties(SCHEMA, values, CONTEXT);
    assertEquals(v.parse(properties, answer), answer);
    assertEquals(Object.keys(answer), SCHEMA.map(({ name }) => name));
    assertEquals([...propertiesWriter(SCHEMA)(values, CONTEXT)].join(""), JSON.stringify(answer));
  }
});

Deno.test("a relation says that it is complete, and can be written back like that", () => {
  const { [nameOf("relation")]: value } = answerProperties(SCHEMA, {}, CONTEXT);
  assertEquals<unknown>(value, {
    id: "relation",
    type: "relation",
    has_more: false,
    relation: CONTEXT.links(SCHEMA[0] as never).map((id) => ({ id })),
  });
  assertEquals(issuesOf({ relation: value }), []);
});

Deno.test("newValues() sets the default option of a status and the number of the row", () => {
  const later = { id: "id of Later", name: "Later", color: "blue" };
  const values = newValues(SCHEMA, {}, { by: ANN, number: 7 });
  assertEquals([answerOf("status", values), answerOf("unique_id", values)], [
    later,
    { number: 7, prefix: "T" },
  ]);
  assertEquals(answerOf("status", valuesOf({ "The status": { status: null } })), null);
});

Deno.test("editValues() keeps values that are not given, and drops values of deleted properties", () => {
  const values = valuesOf(FULL);
  assertEquals(editValues(SCHEMA, {}, { by: ANN, values }), values);
  const { number: _number, ...rest } = values;
  const schema = SCHEMA.filter(({ type }) => type !== "number");
  assertEquals(editValues(schema, {}, { by: ANN, values }), rest);
});

Deno.test("a verification is by the writer, unless the same one is already stored", () => {
  const values = valuesOf({ verification: { verification: { state: "verified" } } });
  const byBob = { state: "verified", verified_by: { id: BOB } } as const;
  const edited = (verification: unknown, by: string) =>
    editValues(SCHEMA, read({ verification: { verification } }), { by, values }).verification;
  assertEquals(edited(byBob, ANN), { verifiedBy: ANN, date: null });
  assertEquals(edited(answerOf("verification", values), BOB), { verifiedBy: ANN, date: null });
  assertEquals(edited({ state: "verified" }, BOB), { verifiedBy: BOB, date: null });
});

Deno.test("a verification expires when its date ends", () => {
  const verified = (end: string) =>
    answerOf("verification", {
      verification: { verifiedBy: ANN, date: { start: end, end, time_zone: null } },
    });
  assertEquals((verified("2024-06-01T12:00:00Z") as { state: string }).state, "verified");
  assertEquals((verified("2024-06-01T11:59:59Z") as { state: string }).state, "expired");
});

Deno.test("an uploaded file is stored by its upload, given by id or by URL", () => {
  const upload = "00000000-0000-4000-8000-00000000000a";
  const url = `https://recto.test/files/content/dw/${upload}/a.png?expires=1&signature=x`;
  const given = [
    { name: "a", file_upload: { id: upload } },
    { name: "b", type: "file", file: { url, expiry_time: "soon" } },
  ];
  const input = read({ files: { files: given } });
  assertEquals(editValues(SCHEMA, input, { by: ANN, values: {} }).files, [
    { name: "a", type: "file", file: { upload } },
    { name: "b", type: "file", file: { upload } },
  ]);
});

Deno.test("an option that the schema no longer has is read as empty", () => {
  const gone = { select: "gone", multi_select: ["gone", "id of Red"], status: "gone" };
  assertEquals([answerOf("select", gone), answerOf("status", gone)], [null, null]);
  assertEquals(answerOf("multi_select", gone), [{ id: "id of Red", name: "Red", color: "blue" }]);
});
