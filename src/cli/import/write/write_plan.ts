/**
 * Writes a plan through the API: first all pages, databases and rows, then what refers to them.
 *
 * Whatever was written stands in the journal, so that a second run goes on where the first stopped.
 *
 * @module
 */
import type { BlockInput } from "../../../content/blocks/mod.ts";
import { isEmoji } from "../../../content/values/icons.ts";
import type { ApiClient } from "../../transfer/api_client.ts";
import type { Journal } from "../../transfer/journal.ts";
import type { JsonObject } from "../../transfer/json.ts";
import { forEachParallel } from "../../transfer/parallel.ts";
import type { Progress } from "../../transfer/progress.ts";
import { countText, type Report } from "../../transfer/report.ts";
import type { Plan, Planned, PlannedDatabase, PlannedPage, PlannedRow } from "../plan.ts";
import type { Source } from "../source/source.ts";
import { type Column, propertyOf, richText } from "../tables/column.ts";
import { type ContentWriter, createContentWriter } from "./content.ts";
import { guarded } from "./guarded.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { createTableRows } from "./table_rows.ts";
import { propertiesOf, relationsOf } from "./values.ts";

export interface WriteInput {
  readonly plan: Plan;
  readonly source: Source;
  readonly api: ApiClient;
  readonly journal: Journal;
  readonly report: Report;
  readonly progress: Progress;
  /** ID of the page to write into; undefined for the top of the workspace. */
  readonly into: string | undefined;
  /** IANA time zone of times that have none. */
  readonly timeZone?: string | undefined;
}

/** The state that all steps of a write share. */
export interface Writing extends WriteInput {
  readonly registry: Registry;
  readonly content: ContentWriter;
}

/** Up to so many siblings are written one after the other, so that they stay in order. */
const ORDERED = 200;

/** Writes a plan. Rejects if the server cannot be used at all; reports everything else. */
export async function writePlan(input: WriteInput): Promise<void> {
  const registry = createRegistry(input);
  const content = createContentWriter(input, registry);
  const writing: Writing = { ...input, registry, content };
  const { plan, progress } = input;
  const rows = plan.nodes.reduce((sum, node) => sum + rowCount(node), 0);
  progress.begin("pages and rows", plan.nodes.length + rows);
  await createNodes(writing);
  await createRelations(writing);
  const later = content.deferred();
  progress.begin("content", later.length);
  await forEachParallel(later, input.api.parallel, async (node) => {
    await guarded(writing, node.key, () => content.append(node));
    progress.advance();
  });
  await writeUnlinked(writing);
  content.countFiles();
  progress.end();
}

function rowCount(node: Planned): number {
  return node.kind === "database" ? node.table?.count ?? 0 : 0;
}

/** Creates all nodes: siblings in order, families in parallel. */
async function createNodes(writing: Writing): Promise<void> {
  const families = Map.groupBy(writing.plan.nodes, ({ parent }) => parent);
  let ready: readonly (string | undefined)[] = [undefined];
  while (ready.length > 0) {
    const next: string[] = [];
    await forEachParallel(ready, writing.api.parallel, async (parent) => {
      const family = families.get(parent) ?? [];
      const isOrdered = family.length <= ORDERED && family[0]?.kind !== "row";
      await forEachParallel(family, isOrdered ? 1 : writing.api.parallel, async (node) => {
        await createNode(writing, node);
        writing.progress.advance();
      });
      next.push(...family.filter(({ key }) => families.has(key)).map(({ key }) => key));
    });
    ready = next;
  }
}

async function createNode(writing: Writing, node: Planned): Promise<void> {
  const { registry, report } = writing;
  if (node.parent !== undefined && registry.node(node.parent) === undefined) {
    return report.omit(node.key, "what it is in could not be written");
  }
  await guarded(writing, node.key, async () => {
    if (node.kind === "database") return await createDatabase(writing, node);
    await writing.content.create(node, bodyOf(writing, node));
    report.count(node.kind === "row" ? "rows" : "pages");
  });
}

/** The body that creates a page or row, without content. */
function bodyOf(writing: Writing, node: PlannedPage | PlannedRow): JsonObject {
  const { registry, into } = writing;
  const icon = node.icon !== undefined && isEmoji(node.icon) ? { icon: { emoji: node.icon } } : {};
  if (node.kind === "row") {
    const parent = { database_id: registry.node(node.parent)?.id ?? "" };
    const properties = propertiesOf(writing, registry.columns(node.parent), node);
    return { parent, properties, ...icon };
  }
  const above = node.parent === undefined ? into : registry.node(node.parent)?.id;
  const parent = above === undefined ? { workspace: true } : { page_id: above };
  return { parent, properties: { title: { title: richText(node.title) } }, ...icon };
}

async function createDatabase(writing: Writing, node: PlannedDatabase): Promise<void> {
  const { registry, into, report } = writing;
  registry.setColumns(node.key, node.columns);
  const above = node.parent === undefined ? into : registry.node(node.parent)?.id;
  const entries = node.columns.filter(({ type }) => type !== "relation")
    .map((column) => [column.name, propertyOf(column)]);
  await registry.create(node, "/v2/databases", {
    parent: above === undefined ? { workspace: true } : { page_id: above },
    title: richText(node.title),
    properties: Object.fromEntries(entries),
  });
  report.count("databases");
  if (node.table !== undefined) await createTableRows(writing, node);
}

/** Adds the columns that relate databases, once all of these exist, and then their values. */
async function createRelations(writing: Writing): Promise<void> {
  const { plan, registry, api } = writing;
  for (const node of plan.nodes) {
    if (node.kind !== "database") continue;
    const related = node.columns.flatMap((column): (readonly [string, JsonObject])[] =>
      column.type === "relation" ? [relationProperty(column, registry)] : []
    );
    if (related.length === 0 || registry.isDone(node.key, "relations")) continue;
    await guarded(writing, node.key, async () => {
      const id = registry.node(node.key)?.id ?? "";
      await registry.patch(`/v2/databases/${id}`, { properties: Object.fromEntries(related) }, {
        key: node.key,
        step: "relations",
      });
    });
  }
  const rows = plan.nodes.filter((node): node is PlannedRow =>
    node.kind === "row" && registry.columns(node.parent).some(({ type }) => type === "relation")
  );
  await forEachParallel(rows, api.parallel, (row) => writeRelations(writing, row));
}

function relationProperty(
  column: Column & { readonly type: "relation" },
  registry: Registry,
): readonly [string, JsonObject] {
  return [column.name, propertyOf(column, registry.node(column.database)?.id)];
}

async function writeRelations(writing: Writing, row: PlannedRow): Promise<void> {
  const { registry } = writing;
  const properties = relationsOf(writing, registry.columns(row.parent), row);
  if (Object.keys(properties).length === 0 || registry.isDone(row.key, "relations")) return;
  await guarded(writing, row.key, async () => {
    const id = registry.node(row.key)?.id ?? "";
    await registry.patch(`/v2/pages/${id}`, { properties }, { key: row.key, step: "relations" });
  });
}

const UNLINKED = "Files without a link";

/** Puts the files of vaults and exports that no page refers to into a page of their own. */
async function writeUnlinked(writing: Writing): Promise<void> {
  const { plan, content, report, into, registry } = writing;
  const left = plan.files.filter((path) => !content.isUploaded(path));
  if (left.length === 0) return;
  if (plan.kind === "folder") {
    return report.alter(
      countText(left.length, "files"),
      "left out, because no page refers to them",
    );
  }
  const root = plan.nodes[0]?.kind === "page" ? registry.node(plan.nodes[0].key)?.id : into;
  const page: PlannedPage = {
    kind: "page",
    key: "#unlinked",
    title: UNLINKED,
    parent: undefined,
    content: {
      open: () => Promise.resolve({ linked: new Set(), blocks: () => left.map(fileParagraph) }),
    },
  };
  const parent = root === undefined ? { workspace: true } : { page_id: root };
  const properties = { title: { title: richText(UNLINKED) } };
  await guarded(writing, UNLINKED, () => content.create(page, { parent, properties }));
  report.count("pages");
}

function fileParagraph(path: string): BlockInput {
  const link = { url: `recto-import:file:${path}` };
  return { paragraph: { rich_text: [{ text: { content: path.slice(0, 1_000), link } }] } };
}
