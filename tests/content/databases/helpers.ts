import * as v from "valibot";
import { AppError, type ValidationIssue } from "../../../src/shared/errors.ts";
import { atOnce } from "../../../src/shared/yield_to_event_loop.ts";
import { newDatabaseSteps } from "../../../src/content/databases/create.ts";
import {
  parseDatabaseDoc,
  type Related,
  type StoredDatabase,
} from "../../../src/content/schema/database.ts";
import { editDatabaseSteps } from "../../../src/content/databases/edit.ts";
import { databaseCreateInput, databaseUpdateInput } from "../../../src/content/databases/input.ts";
import { databaseJson } from "../../../src/content/databases/json.ts";
import type { Property, PropertyOf, PropertyType } from "../../../src/content/schema/property.ts";
import type { Change, Node } from "../../../src/content/schema/node.ts";
import { assertThrows } from "../../assert.ts";

export const edit = { time: 1_700_000_000_000, by: "0000000a-0000-4000-8000-000000000000" };

let count = 0;

/** Generates unique ids. */
export const ids = {
  newId: () => `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`,
  newPropertyId: () => String(++count).padStart(8, "p"),
};

export type Properties = Readonly<Record<string, unknown>>;

/** Several databases in the form that a store returns. */
export interface World {
  readonly all: Map<string, StoredDatabase>;
  /** All changes so far. */
  readonly changes: Change[];
  /** Creates a database and returns its id; `body` adds members to the request. */
  create(properties: Properties, more?: object): string;
  patch(id: string, properties: Properties, more?: object): void;
  trash(id: string): void;
  node(id: string): Node;
  property(id: string, name: string): Property;
  properties(id: string): readonly Property[];
  /** The database in the form of a reply. */
  read(id: string): Answer;
}

export interface Answer {
  readonly title: readonly { readonly plain_text: string }[];
  readonly properties: Readonly<Record<string, ReadProperty>>;
  readonly [key: string]: unknown;
}

export interface ReadProperty {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly description: string | null;
  readonly [type: string]: unknown;
}

export const NAME = { Name: { title: {} } };

export function createWorld(): World {
  const all = new Map<string, StoredDatabase>();
  const changes: Change[] = [];
  const known = (id: string): StoredDatabase => {
    const found = all.get(id);
    if (found === undefined) throw new Error(`No database ${id}`);
    return found;
  };
  const apply = (made: readonly Change[]): void => {
    changes.push(...made);
    for (const change of made) {
      if (change.op !== "update") continue;
      const { node } = known(change.id);
      const { title, doc, hasMentions } = change;
      const changed = { ...node, title, doc, hasMentions, version: node.version + 1 };
      all.set(change.id, { node: changed, doc: parseDatabaseDoc(doc) });
    }
  };
  return {
    all,
    changes,
    create(properties, more = {}) {
      const id = ids.newId();
      const body = { parent: { workspace: true }, properties, ...more };
      const steps = newDatabaseSteps(v.parse(databaseCreateInput, body), {
        id,
        parent: { kind: "workspace", id: null },
        position: "a0",
        edit,
        related: all,
        ...ids,
      });
      const made = atOnce(steps);
      all.set(id, { node: made.node, doc: made.doc });
      apply(made.changes);
      return id;
    },
    patch(id, properties, more = {}) {
      const current = known(id);
      const input = v.parse(databaseUpdateInput, { properties, ...more });
      const options = { edit, related: all, lastNumber: 7, ...ids };
      const made = atOnce(editDatabaseSteps(current, input, options));
      all.set(id, { node: { ...current.node, ...made.content }, doc: made.doc });
      apply(made.changes);
    },
    trash(id) {
      const { node, doc } = known(id);
      all.set(id, { node: { ...node, trashRoot: id }, doc });
    },
    node: (id) => known(id).node,
    properties: (id) => known(id).doc.properties,
    property(id, name) {
      const found = known(id).doc.properties.find((property) => property.name === name);
      if (found === undefined) throw new Error(`No property ${name}`);
      return found;
    },
    read: (id) => readDatabase(known(id).node, all),
  };
}

export function readDatabase(node: Node, related: Related): Answer {
  const view = { ...node, hasChildren: false };
  return JSON.parse(databaseJson(view, { publicUrl: "https://recto.test", related }));
}

/** The property with this name, which must have this type. */
export function typed<T extends PropertyType>(
  world: World,
  id: string,
  { name, type }: { readonly name: string; readonly type: T },
): PropertyOf<T> {
  const found = world.property(id, name);
  if (found.type !== type) throw new Error(`${name} is ${found.type}`);
  return found as PropertyOf<T>;
}

/** The issues of the error that an action throws. */
export function issuesOf(action: () => unknown): ValidationIssue[] {
  // The issues of a validation error are among its members.
  return assertThrows(action, AppError).members.errors as ValidationIssue[];
}

export function pointersOf(action: () => unknown): string[] {
  return issuesOf(action).map(({ pointer }) => pointer);
}
