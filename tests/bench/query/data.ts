/**
 * The rows of the benchmark's large database.
 *
 * @module
 */
import type { Property } from "../../../src/content/schema/property.ts";
import { type Cell, EMPTY, type PropertyCell } from "../../../src/content/schema/cells.ts";
import { fold, sortKey } from "../../../src/content/schema/collation.ts";
import type { Node } from "../../../src/content/schema/node.ts";

export const WORKSPACE = "default";
export const DATABASE = "0197a000-0000-7000-8000-000000000000";
export const PERSON = "0197a000-0000-7000-8000-0000000000aa";
/**
 * Creation time of the oldest row in milliseconds since the epoch; the others follow every second.
 */
export const OLDEST = Date.UTC(2020, 0, 1);
const DAY = 86_400_000;
const WORDS = "plan review draft launch budget report design meeting notes offer contract summary"
  .split(" ");

function options(prefix: string, count: number): { id: string; name: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `0197a000-0000-7000-8000-${prefix}${String(index).padStart(12 - prefix.length, "0")}`,
    name: `${prefix} ${index}`,
  }));
}

export const STAGES = options("a1", 5);
export const REGIONS = options("b2", 50);
export const TAGS = options("c3", 20);
export const OWNERS = options("d4", 40);

const common = { description: null } as const;
const choice = ({ id, name }: { id: string; name: string }) =>
  ({ id, name, color: "default", description: null }) as const;

/** The database's twelve properties. */
export const SCHEMA: readonly Property[] = [
  { ...common, id: "title", name: "Name", type: "title" },
  { ...common, id: "notes", name: "Notes", type: "rich_text" },
  { ...common, id: "stage", name: "Stage", type: "select", options: STAGES.map(choice) },
  { ...common, id: "region", name: "Region", type: "select", options: REGIONS.map(choice) },
  { ...common, id: "tags", name: "Tags", type: "multi_select", options: TAGS.map(choice) },
  { ...common, id: "due", name: "Due", type: "date" },
  { ...common, id: "start", name: "Start", type: "date" },
  { ...common, id: "amount", name: "Amount", type: "number", format: "number" },
  { ...common, id: "score", name: "Score", type: "number", format: "number" },
  { ...common, id: "done", name: "Done", type: "checkbox" },
  { ...common, id: "owner", name: "Owner", type: "people" },
  { ...common, id: "ref", name: "Ref", type: "unique_id", prefix: null },
];

/** Generates the same numbers in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = Math.imul(state ^ state >>> 15, state | 1) + 0x6D2B79F5 | 0;
    state ^= state + Math.imul(state ^ state >>> 7, state | 61);
    return ((state ^ state >>> 14) >>> 0) / 4_294_967_296;
  };
}

export interface SampleRow {
  readonly node: Node;
  readonly cells: readonly PropertyCell[];
}

/** Returns the row with this number, counting from 1. */
export function sampleRow(number: number): SampleRow {
  const next = random(number * 7919);
  const pick = <T>(all: readonly T[]): T => {
    const one = all[Math.floor(next() * all.length)];
    if (one === undefined) throw new Error("Nothing to pick from");
    return one;
  };
  const title = `${pick(WORDS)} ${pick(WORDS)} ${number}`;
  const notes = Array.from({ length: 8 }, () => pick(WORDS)).join(" ");
  const [stage, region, owner] = [pick(STAGES), pick(REGIONS), pick(OWNERS)];
  const tags = [...new Set([pick(TAGS), pick(TAGS)])].slice(0, Math.floor(next() * 3));
  const [due, start] = [Math.floor(next() * 2_000), Math.floor(next() * 2_000)];
  const [amount, score] = [Math.floor(next() * 100_000), Math.floor(next() * 1_000) / 10];
  const done = next() < 0.3;
  const isDue = next() < 0.9;
  const date = (day: number) => ({ start: dayOf(day), end: null, time_zone: null });
  const values = {
    title: richText(title),
    notes: richText(notes),
    stage: stage.id,
    region: region.id,
    ...(tags.length > 0 && { tags: tags.map(({ id }) => id) }),
    ...(isDue && { due: date(due) }),
    start: date(start),
    amount,
    score,
    done,
    owner: [owner.id],
    ref: number,
  };
  const cells = [
    ...column("amount", numeric(amount)),
    ...column("done", numeric(Number(done))),
    ...column("due", isDue ? numeric(OLDEST + due * DAY) : EMPTY),
    ...column("notes", textual(notes)),
    ...column("owner", keyed(owner.id)),
    ...column("ref", numeric(number)),
    ...column("region", keyed(region.id)),
    ...column("score", numeric(score)),
    ...column("stage", keyed(stage.id)),
    ...column("start", numeric(OLDEST + start * DAY)),
    ...column("tags", ...(tags.length > 0 ? tags.map(({ id }) => keyed(id)) : [EMPTY])),
    ...column("title", textual(title)),
  ];
  return {
    node: nodeOf(number, title, JSON.stringify({ cover: null, icon: null, values })),
    cells,
  };
}

function nodeOf(number: number, title: string, doc: string): Node {
  const time = OLDEST + number * 1_000;
  return {
    id: idOf(number),
    kind: "page",
    type: "child_page",
    parentKind: "database",
    parentId: DATABASE,
    containerId: DATABASE,
    position: positionOf(number),
    title,
    doc,
    hasMentions: false,
    version: 1,
    createdTime: time,
    createdBy: PERSON,
    editedTime: time,
    editedBy: PERSON,
    trashRoot: null,
  };
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns a fractional index; all have the same length, so they sort in order. */
function positionOf(number: number): string {
  const digits = [3, 2, 1, 0].map((power) => DIGITS[Math.floor(number / 62 ** power) % 62]);
  return `d${digits.join("")}`;
}

/** Returns an ID that grows with time and ends at random, like the service's. */
export function idOf(number: number): string {
  const time = (OLDEST + number * 1_000).toString(16).padStart(12, "0");
  const tail = Math.floor(random(number)() * 0xFFFFFFFFFFFF).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail}`;
}

export function richText(content: string): unknown {
  const annotations = {
    bold: false,
    italic: false,
    strikethrough: false,
    underline: false,
    code: false,
    color: "default",
  };
  return [{
    type: "text",
    text: { content, link: null },
    annotations,
    plain_text: content,
    href: null,
  }];
}

function dayOf(day: number): string {
  return new Date(OLDEST + day * DAY).toISOString().slice(0, 10);
}

function column(propertyId: string, ...cells: readonly Cell[]): PropertyCell[] {
  return cells.map((cell, ordinal) => ({ propertyId, ordinal, ...cell }));
}

function numeric(number: number): Cell {
  return { ...EMPTY, number };
}

function keyed(key: string): Cell {
  return { ...EMPTY, key };
}

function textual(text: string): Cell {
  return { number: null, key: sortKey(text), text: fold(text) };
}
