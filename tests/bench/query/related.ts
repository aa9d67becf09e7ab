/**
 * Sort keys of the large database that are stored elsewhere: names, related rows, formulas and
 * rollups.
 *
 * @module
 */
import type { Change } from "../../../src/content/schema/node.ts";
import type { LinkSide, Property } from "../../../src/content/schema/property.ts";
import { EMPTY, numberCell } from "../../../src/content/schema/cells.ts";
import { fold, sortKey } from "../../../src/content/schema/collation.ts";
import type { Store } from "../../../src/store/port.ts";
import {
  DATABASE,
  idOf,
  OLDEST,
  OWNERS,
  PERSON,
  richText,
  sampleRow,
  SCHEMA,
  WORKSPACE,
} from "./data.ts";

const PROJECTS = "0197a000-0000-7000-8000-00000000f101";
/** Number of rows to which those of the large database are related. */
const COUNT = 100;

const described = { description: null } as const;

/** A relation of the large database, and a rollup of it by function. */
interface Related {
  readonly relationId: string;
  readonly property: readonly [id: string, name: string];
  readonly side: LinkSide;
  /** Each row is related if this is 1, every third if it is 3. */
  readonly every: number;
  readonly rollups: Readonly<Record<string, "count" | "show_original">>;
}

const RELATIONS: readonly Related[] = [
  {
    relationId: "0197a000-0000-7000-8000-00000000f102",
    property: ["project", "Project"],
    side: "from",
    every: 3,
    rollups: { Named: "count", Titles: "show_original" },
  },
  {
    relationId: "0197a000-0000-7000-8000-00000000f103",
    property: ["team", "Team"],
    side: "from",
    every: 1,
    rollups: { Teams: "count" },
  },
  {
    relationId: "0197a000-0000-7000-8000-00000000f104",
    property: ["plan", "Plan"],
    side: "to",
    every: 1,
    rollups: { Plans: "count", Planned: "show_original" },
  },
];

const RELATED: readonly Property[] = [
  { ...described, id: "added", name: "Added", type: "number", format: "number" },
  { ...described, id: "same", name: "Same", type: "checkbox" },
  { ...described, id: "creator", name: "Creator", type: "created_by" },
  { ...described, id: "net", name: "Net", type: "formula", expression: 'prop("amount") * 2' },
  ...RELATIONS.flatMap(propertiesOf),
];

function propertiesOf(
  { relationId, property: [id, name], side, rollups }: Related,
): readonly Property[] {
  const relation = { databaseId: PROJECTS, relationId, side, syncedId: null };
  return [
    { ...described, id, name, type: "relation", ...relation },
    ...Object.entries(rollups).map(([name, calculate]): Property => ({
      ...described,
      id: name.toLowerCase(),
      name,
      type: "rollup",
      relationPropertyId: id,
      rollupPropertyId: "title",
      function: calculate,
    })),
  ];
}

/** Names the owners, relates rows to projects, and adds the properties of the hard questions. */
export async function relateRows(store: Store): Promise<void> {
  for (const { id, name } of OWNERS) {
    await store.saveUser(WORKSPACE, { id, name, type: "person", email: null, avatarUrl: null });
  }
  const rows = await store.lastNumber(WORKSPACE, DATABASE);
  await commit(store, [
    { op: "insert", node: databaseNode("Projects", [titleProperty()]) },
    ...Array.from({ length: COUNT }, (_, index) => project(index)),
    {
      op: "update",
      id: DATABASE,
      version: 1,
      title: "Large",
      hasMentions: false,
      doc: docOf([...SCHEMA, ...RELATED]),
      edit: { time: OLDEST, by: PERSON },
    },
    { op: "writeCells", databaseId: DATABASE, propertyId: "added", cell: EMPTY },
    { op: "writeCells", databaseId: DATABASE, propertyId: "same", cell: numberCell(0) },
  ]);
  for (const { relationId, side, every } of RELATIONS) {
    const other = side === "from" ? "to" : "from";
    for (let index = 0; index < COUNT; index++) {
      const others: string[] = [];
      const step = COUNT * every;
      for (let number = 1 + index * every; number <= rows; number += step) {
        others.push(idOf(number));
      }
      await commit(store, [
        { op: "link", relationId, side: other, id: projectId(index), others },
      ]);
    }
    await commit(store, [{ op: "countAllLinks", relationId, side, databaseId: DATABASE }]);
  }
}

async function commit(store: Store, changes: readonly Change[]): Promise<void> {
  const outcome = await store.commit(WORKSPACE, changes);
  if (outcome !== "committed") throw new Error(`The rows could not be related: ${outcome}`);
}

function titleProperty(): Property {
  return { ...described, id: "title", name: "Name", type: "title" };
}

function docOf(properties: readonly Property[]): string {
  const doc = { title: [], description: [], icon: null, cover: null, is_inline: false };
  return JSON.stringify({ ...doc, properties });
}

function databaseNode(title: string, properties: readonly Property[]): ReturnType<typeof nodeOf> {
  return {
    ...nodeOf(PROJECTS, title, docOf(properties)),
    kind: "database",
    type: "child_database",
    parentKind: "workspace",
    parentId: null,
    containerId: null,
    position: "a1",
  };
}

function nodeOf(id: string, title: string, doc: string) {
  return { ...sampleRow(1).node, id, title, doc };
}

function projectId(index: number): string {
  return idOf(-1 - index);
}

function project(index: number): Change {
  const title = `Project ${index}`;
  const doc = JSON.stringify({ cover: null, icon: null, values: { title: richText(title) } });
  const place = { parentId: PROJECTS, containerId: PROJECTS, position: `b${100 + index}V` };
  return {
    op: "insert",
    node: { ...nodeOf(projectId(index), title, doc), ...place },
    cells: [
      { propertyId: "title", ordinal: 0, number: null, key: sortKey(title), text: fold(title) },
    ],
  };
}
