/**
 * The content of a fuzzed service, as its replies told: requests name it by slots such as `<page>`,
 * which are filled when they are sent.
 *
 * @module
 */
import { UNKNOWN } from "../api/driver.ts";

/** So many of a kind are remembered, the latest. */
const REMEMBERED = 64;

export interface Pool {
  add(kind: string, value: string): void;
  /** Remembers what an answer tells of. */
  learn(answer: unknown): void;
  /** The text with a value for each slot. */
  fill(text: string): string;
}

/**
 * A pool where some kinds have one object for ever, and no other slot names it; rows are those of its
 * `table`. `random` chooses among values.
 */
export function createPool(
  lasting: Readonly<Record<string, string>>,
  random: () => number,
): Pool {
  const kinds = new Map(Object.entries(lasting).map(([kind, id]) => [kind, [id]]));
  const kept = new Set(Object.values(lasting));
  const add = (kind: string, value: string) => {
    const known = kinds.get(kind) ?? [];
    kinds.set(kind, [...known.filter((one) => one !== value), value].slice(-REMEMBERED));
  };
  const forget = (value: string) => {
    for (const [kind, known] of kinds) kinds.set(kind, known.filter((one) => one !== value));
  };
  const pick = (kind: string) => {
    const known = kinds.get(kind) ?? [];
    return known[Math.floor(random() * known.length)] ?? UNKNOWN;
  };
  const learnObject = (one: Readonly<Record<string, unknown>>) => {
    const id = String(one["id"]);
    if (!kept.has(id)) {
      forget(id);
      for (const kind of kindsOf(one, lasting["table"])) add(kind, id);
    }
    for (const property of Object.values(Object(one["properties"]))) {
      add("property", String(Object(property).id));
    }
  };
  return {
    add,
    learn(answer) {
      const { object, next_cursor, results = [] } = Object(answer);
      if (typeof next_cursor === "string") add("cursor", next_cursor);
      const all = object === "list" ? results : [answer];
      all.map(Object).filter(({ id }: { id: unknown }) => typeof id === "string")
        .forEach(learnObject);
    },
    fill: (text) => text.replaceAll(/<([a-z_:\d]+)>/g, (_, kind) => pick(kind)),
  };
}

function kindsOf(one: Readonly<Record<string, unknown>>, table: string | undefined): string[] {
  const { object, type, parent, in_trash } = one;
  if (in_trash === true) return ["trashed"];
  if (object === "block") return ["block", `block:${type}`];
  if (object === "page") return [Object(parent).database_id === table ? "row" : "page"];
  return typeof object === "string" ? [object] : [];
}
