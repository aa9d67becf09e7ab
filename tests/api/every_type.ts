/**
 * A database with a property of every type. Each is named after its type, except the title, `Name`.
 *
 * @module
 */
import type { Answer, TestApp } from "../support/app.ts";
import { namedRows, newDatabase } from "./database_driver.ts";
import { succeed } from "./driver.ts";

const CHOICES = { options: [{ name: "A", color: "red" }, { name: "B" }] };

const SIMPLE = [
  "rich_text",
  "number",
  "date",
  "people",
  "files",
  "checkbox",
  "url",
  "email",
  "phone_number",
  "created_time",
  "created_by",
  "last_edited_time",
  "last_edited_by",
  "button",
  "place",
  "verification",
];

export interface EveryType {
  readonly id: string;
  /** The database in the form of a reply. */
  readonly database: Answer["json"];
  /** The database that `relation` leads to; `rollup` collects its `Cost`. */
  readonly related: string;
  /** Rows of the related database. */
  readonly one: string;
  readonly two: string;
  /** Users of the workspace. */
  readonly ann: string;
  readonly bob: string;
}

/** Creates the database, a related one with two rows, and two users. */
export async function everyType(app: Pick<TestApp, "call" | "mint">): Promise<EveryType> {
  const related = await newDatabase(app, { Cost: { number: {} } });
  const { one = "", two = "" } = await namedRows(app, related.id, {
    one: { Cost: { number: 1 } },
    two: { Cost: { number: 2 } },
  });
  const database = await newDatabase(app, {
    ...Object.fromEntries(SIMPLE.map((type) => [type, { [type]: {} }])),
    select: { select: CHOICES },
    multi_select: { multi_select: CHOICES },
    status: { status: {} },
    unique_id: { unique_id: { prefix: "ROW" } },
    relation: { relation: { database_id: related.id, single_property: {} } },
    formula: { formula: { expression: 'prop("number") * 2' } },
    rollup: {
      rollup: {
        relation_property_name: "relation",
        rollup_property_name: "Cost",
        function: "sum",
      },
    },
  });
  const [ann = "", bob = ""] = await Promise.all(["Ann", "Bob"].map((name) => newUser(app, name)));
  return { id: database.id, database, related: related.id, one, two, ann, bob };
}

/** A token of the user with this name. */
export function tokenOf({ mint }: Pick<TestApp, "mint">, name: string): Promise<string> {
  return mint({ sub: name, name });
}

/** Creates a user with this name and returns its id. */
async function newUser(app: Pick<TestApp, "call" | "mint">, name: string): Promise<string> {
  const { id } = await succeed(app, "GET /v2/users/me", { token: await tokenOf(app, name) });
  return id;
}

/** The value of the only property of this type, in the form of a reply. */
export function valueOf(page: Answer["json"], type: string): unknown {
  const found = Object.values<Record<string, unknown>>(page.properties)
    .find((property) => property.type === type);
  return found?.[type];
}
