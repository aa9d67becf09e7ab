/**
 * Values of every type: as clients write them, as they are read, and empty.
 *
 * @module
 */
import { text } from "./driver.ts";
import type { EveryType } from "./every_type.ts";

export interface ValueSample {
  /** Each replaces the one before it. */
  readonly values: readonly (readonly [given: unknown, read: unknown])[];
  /** The value that clears it, and how it is read then. */
  readonly clear: unknown;
  readonly empty: unknown;
}

const annotations = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: "default",
};

/** A text as it is read. */
export function plain(content: string): object {
  return {
    type: "text",
    text: { content, link: null },
    annotations,
    plain_text: content,
    href: null,
  };
}

/** An external file as it is written and as it is read. */
export function external(name: string): object {
  return { name, type: "external", external: { url: `https://files.test/${name}` } };
}

function same(...values: readonly unknown[]): ValueSample["values"] {
  return values.map((value) => [value, value]);
}

function nullable(...values: readonly unknown[]): ValueSample {
  return { values: same(...values), clear: null, empty: null };
}

function list(...values: ValueSample["values"]): ValueSample {
  return { values, clear: [], empty: [] };
}

const bold = { annotations: { bold: true } };
const texts = list(
  [text("a"), [plain("a")]],
  [[{ ...text("b")[0], ...bold }, ...text("c")], [
    { ...plain("b"), annotations: { ...annotations, bold: true } },
    plain("c"),
  ]],
);

const day = { start: "2026-11-19", end: null, time_zone: null };
const moments = {
  start: "2026-11-19T10:00:00.000+01:00",
  end: "2026-11-20T10:00:00.000+00:00",
  time_zone: null,
};
const zoned = { start: "2026-11-19T10:00:00", end: null, time_zone: "Europe/Berlin" };
const zonedRead = { start: "2026-11-19T10:00:00.000+01:00", end: null, time_zone: null };

/** The samples by type. */
export function valueSamples(
  { database, one, two, ann, bob }: EveryType,
): Readonly<Record<string, ValueSample>> {
  const optionsOf = (type: string) =>
    database.properties[type][type].options.map(
      ({ id, name, color }: Readonly<Record<string, string>>) => ({ id, name, color }),
    );
  const [a, b] = optionsOf("select");
  const [tagA, tagB] = optionsOf("multi_select");
  const [, doing, done] = optionsOf("status");
  const names = new Map([[ann, "Ann"], [bob, "Bob"]]);
  const user = (id: string) => {
    const look = { name: names.get(id), avatar_url: null };
    return { object: "user", id, ...look, type: "person", person: {} };
  };
  const place = { lat: 48.2, lon: 16.4, name: "Vienna", address: null };
  return {
    title: texts,
    rich_text: texts,
    number: nullable(1.5, -3, 0),
    checkbox: { values: same(true), clear: false, empty: false },
    url: nullable("https://recto.test/?q=1", "anything"),
    email: nullable("a@b.test"),
    phone_number: nullable("+49 30 1", "at home"),
    select: { values: [[{ name: "A" }, a], [{ id: b.id }, b]], clear: null, empty: null },
    multi_select: list(
      [[{ name: "B" }, { id: tagA.id }, { name: "B" }], [tagB, tagA]],
      [[tagA], [tagA]],
    ),
    status: {
      values: [[{ name: done.name }, done], [{ id: doing.id }, doing]],
      clear: null,
      empty: null,
    },
    date: {
      values: [[{ start: day.start }, day], [moments, moments], [zoned, zonedRead]],
      clear: null,
      empty: null,
    },
    people: list([[{ id: bob }, { id: ann }], [bob, ann].map(user)], [[user(ann)], [user(ann)]]),
    files: list(...same([external("a"), external("b")], [external("b")])),
    place: nullable(
      { ...place, aws_place_id: null, google_place_id: null },
      { ...place, lat: -1, aws_place_id: "a", google_place_id: "g" },
    ),
    relation: list(
      ...same([{ id: two }, { id: one }], [{ id: one }]),
      [[{ id: two.replaceAll("-", "").toUpperCase() }], [{ id: two }]],
    ),
  };
}
