import { compareCodePoints, sortKey } from "../../src/content/schema/collation.ts";
import type { TestApp } from "../support/app.ts";
import { assertEquals } from "../assert.ts";
import { withFaithfulApp } from "../support/faithful.ts";
import { newDatabase, newRow, query, titled } from "./database_driver.ts";
import { succeed } from "./driver.ts";

/** A row as the test knows it: the names of the first person and of the first related row. */
interface Known {
  readonly id: string;
  readonly name: string;
  readonly number: number;
  readonly person: string;
  readonly project: string;
  readonly creator: string;
}

/** Two people share a name, but for its case, and one has none. */
const PEOPLE = ["Bob", "ada", "Zoe", "", "BOB", "Eve"];
const PROJECTS = ["plan", "Garden", "", "plan", "attic", "trashed"];
const UNKNOWN = "0197a000-0000-7000-8000-00000000ffff";

/** A number below `end` that looks as if it were random. */
function pick(seed: number, end: number): number {
  return (seed * 7919 + (seed * seed) % 31) % end;
}

async function fill(app: TestApp): Promise<{ readonly id: string; readonly rows: Known[] }> {
  const users: { id: string; name: string; token: string }[] = [];
  for (const [index, name] of PEOPLE.entries()) {
    const token = await app.mint({ sub: `user ${index}`, ...(name !== "" && { name }) });
    const { id } = await succeed(app, "GET /v2/users/me", { token });
    users.push({ id, name, token });
  }
  const projects = await newDatabase(app);
  const ids: string[] = [];
  for (const name of PROJECTS) {
    ids.push((await newRow(app, projects.id, { Name: titled(name) })).id);
  }
  const { id } = await newDatabase(app, {
    Owner: { people: {} },
    Project: { relation: { database_id: projects.id, single_property: {} } },
    Number: { number: {} },
    Creator: { created_by: {} },
  });
  const rows: Known[] = [];
  for (let n = 0; n < 40; n++) {
    const owners = [...users, { id: UNKNOWN, name: "" }, undefined];
    const owner = owners[pick(n, owners.length)];
    const other = users[pick(n + 1, users.length)];
    const first = pick(n + 2, PROJECTS.length + 1);
    const second = pick(n + 3, PROJECTS.length);
    const creator = users[pick(n + 4, users.length)];
    const related = [ids[first], ids[second]].filter((one) => one !== undefined);
    const living = [first, second].filter((at) =>
      at < PROJECTS.length && PROJECTS[at] !== "trashed"
    );
    const number = pick(n, 3);
    const body = {
      parent: { database_id: id },
      properties: {
        Name: titled(`row ${n}`),
        Number: { number },
        ...(owner && other && { Owner: { people: [{ id: owner.id }, { id: other.id }] } }),
        Project: { relation: [...new Set(related)].map((id) => ({ id })) },
      },
    };
    const token = creator?.token ?? "";
    const row = await succeed(app, "POST /v2/pages", { token, body });
    rows.push({
      id: row.id,
      name: `row ${n}`,
      number,
      person: owner?.name ?? "",
      project: PROJECTS[living[0] ?? -1] ?? "",
      creator: creator?.name ?? "",
    });
  }
  await succeed(app, `DELETE /v2/pages/${ids.at(-1)}`);
  return { id, rows };
}

interface By {
  readonly member: "person" | "project" | "creator" | "number";
  readonly descending: boolean;
}

const PROPERTIES = { person: "Owner", project: "Project", creator: "Creator", number: "Number" };

/**
 * The names of the rows in order; rows without a name come last, rows of one name by ID. A second
 * sort by the same member has no effect.
 */
function ordered(rows: readonly Known[], all: readonly By[]): string[] {
  const sorts = all.filter(({ member }, index) =>
    all.findIndex((sort) => sort.member === member) === index
  );
  const compare = ({ member, descending }: By) => (a: Known, b: Known) => {
    const [one, other] = [a[member], b[member]];
    if (one === "" || other === "") return Number(one === "") - Number(other === "");
    const difference = typeof one === "number" && typeof other === "number"
      ? one - other
      : compareCodePoints(sortKey(String(one)), sortKey(String(other)));
    return descending ? -difference : difference;
  };
  // A sort by the same member as an earlier one compares equal names.
  const last = sorts.findLast(({ member }, at) =>
    sorts.findIndex((sort) => sort.member === member) === at
  );
  const ids = last?.descending === true ? -1 : 1;
  return rows.toSorted((a, b) =>
    sorts.map((sort) => compare(sort)(a, b)).find((difference) => difference !== 0) ??
      ids * (a.id < b.id ? -1 : 1)
  ).map(({ name }) => name);
}

Deno.test("rows are sorted by the name of the first person and the title of the first row, page by page", () =>
  withFaithfulApp(async (app) => {
    const { id, rows } = await fill(app);
    for (const member of ["person", "project", "creator"] as const) {
      for (const then of [undefined, "number", "project"] as const) {
        for (
          const [descending, reversed] of [[false, false], [true, false], [false, true]] as const
        ) {
          const sorts = [
            { member, descending },
            ...then ? [{ member: then, descending: reversed }] : [],
          ];
          const body = {
            sorts: sorts.map(({ member, descending }) => ({
              property: PROPERTIES[member],
              direction: descending ? "descending" : "ascending",
            })),
          };
          const told = JSON.stringify(body);
          for (const pageSize of [100, 7]) {
            assertEquals(await query(app, id, body, pageSize), ordered(rows, sorts), told);
          }
          const filter = { property: "Number", number: { does_not_equal: 1 } };
          assertEquals(
            await query(app, id, { ...body, filter }, 7),
            ordered(rows.filter(({ number }) => number !== 1), sorts),
            `${told}, filtered`,
          );
        }
      }
    }
  }));

Deno.test("rows with more people than names are compared of are sorted all the same", () =>
  withFaithfulApp(async (app) => {
    const { id } = await newDatabase(app, { Owner: { people: {} } });
    const { id: me } = await succeed(app, "GET /v2/users/me", {
      token: await app.mint({ sub: "me", name: "Me" }),
    });
    for (let n = 0; n < 11; n++) {
      const people = Array.from({ length: 100 }, (_, index) => ({
        id: `0197a000-0000-7000-8000-${String(n * 100 + index).padStart(12, "0")}`,
      }));
      const Owner = { people: n === 5 ? [{ id: me }] : people };
      await newRow(app, id, { Name: titled(`row ${n}`), Owner });
    }
    const names = Array.from({ length: 11 }, (_, n) => `row ${n}`);
    const body = { sorts: [{ property: "Owner", direction: "ascending" }] };
    const expected = ["row 5", ...names.filter((name) => name !== "row 5")];
    assertEquals(await query(app, id, body, 4), expected);
  }));
