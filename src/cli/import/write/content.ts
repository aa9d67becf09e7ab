/**
 * Writes the content of pages and rows: at once if all that it refers to exists, else later.
 *
 * @module
 */
import type { BlockInput } from "../../../content/blocks/mod.ts";
import { ApiError } from "../../transfer/api_error.ts";
import type { Json, JsonObject } from "../../transfer/json.ts";
import { parseTarget } from "../links/target.ts";
import type { OpenContent, PlannedPage, PlannedRow } from "../plan.ts";
import { baseOf } from "../source/names.ts";
import { SourceError } from "../source/source.ts";
import { fitInOne } from "./portions.ts";
import { CONTENT, type Registry } from "./registry.ts";
import { childOf, segmentsOf } from "./segments.ts";
import { sendBlocks } from "./send_blocks.ts";
import { mediaOf, settleBlocks, targetsIn, type Written } from "./settle.ts";
import { createUploads, type Uploads } from "./uploads.ts";
import type { WriteInput } from "./write_plan.ts";

export type Page = PlannedPage | PlannedRow;

export interface ContentWriter {
  /** Creates a page or row, with its content if all that it refers to exists. */
  create(page: Page, body: JsonObject): Promise<void>;
  /** Writes the content of a page that exists. */
  append(page: Page): Promise<void>;
  /** The pages whose content is still to be written. */
  deferred(): readonly Page[];
  isUploaded(path: string): boolean;
  /** Counts the files that are uploaded, by this run or an earlier one. */
  countFiles(): void;
}

interface State extends WriteInput {
  readonly registry: Registry;
  readonly uploads: Uploads;
  readonly written: Written;
  /** The parent of each node of the plan. */
  readonly parents: ReadonlyMap<string, string | undefined>;
  readonly hasChildren: ReadonlySet<string | undefined>;
  readonly deferred: Page[];
}

/** Creates the writer of contents. */
export function createContentWriter(input: WriteInput, registry: Registry): ContentWriter {
  const uploads = createUploads(input, registry);
  const parents = new Map(input.plan.nodes.map(({ key, parent }) => [key, parent]));
  const state: State = {
    ...input,
    registry,
    uploads,
    parents,
    written: { node: registry.node, file: uploads.id },
    hasChildren: new Set(parents.values()),
    deferred: [],
  };
  return {
    deferred: () => state.deferred,
    isUploaded: (path) => uploads.id(path) !== undefined,
    countFiles: () => {
      const paths = [...input.source.files.keys()];
      for (const path of paths.filter((one) => uploads.id(one) !== undefined)) {
        input.report.count(mediaOf(path) === "image" ? "pictures" : "other files");
      }
    },
    create: (page, body) => createPage(state, page, body),
    append: (page) => append(state, page),
  };
}

async function append(state: State, page: Page): Promise<void> {
  const content = await openContent(state, page);
  await appendBlocks(state, page, await parse(state, page, content));
}

async function createPage(state: State, page: Page, body: JsonObject): Promise<void> {
  const { registry } = state;
  const before = registry.recorded(page.key, CONTENT);
  // Earlier versions recorded no number.
  if (before !== undefined) return countLinks(state, Number.parseInt(before) || 0);
  const whole = await withFiles(state, page, body);
  const blocks = await readyBlocks(state, page);
  const isWhole = blocks !== undefined && registry.node(page.key) === undefined &&
    await createWhole(state, page, { blocks, whole });
  if (isWhole) return;
  await registry.create(page, "/v2/pages", whole);
  if (blocks === undefined) state.deferred.push(page);
  else await appendBlocks(state, page, blocks);
}

/** Returns the blocks of a page; undefined if they refer to pages that are still to be written. */
async function readyBlocks(
  state: State,
  page: Page,
): Promise<readonly BlockInput[] | undefined> {
  const content = await openContent(state, page);
  // Most are found without parsing, which would be in vain.
  const isThere = content.linked.values().every((key) => state.registry.node(key) !== undefined);
  if (!isThere) return undefined;
  const blocks = await parse(state, page, content);
  return refersToWritten(state, page, blocks) ? blocks : undefined;
}

/** Creates a page together with its content; resolves to false if that takes several requests. */
async function createWhole(
  state: State,
  page: Page,
  { blocks, whole }: { readonly blocks: readonly BlockInput[]; readonly whole: JsonObject },
): Promise<boolean> {
  if (blocks.length === 0) return false;
  await uploadAll(state, blocks);
  const settled = settleBlocks(blocks, state.written);
  if (!fitInOne(settled)) return false;
  // Blocks are JSON, which their type does not say.
  const children = settled as unknown as Json;
  const links = linksIn(blocks);
  if (!await state.registry.createWhole(page, whole, { children, record: `${links}` })) {
    return false;
  }
  countLinks(state, links);
  return true;
}

const NO_CONTENT: OpenContent = { linked: new Set(), blocks: () => [] };

function openContent(state: State, page: Page): Promise<OpenContent> {
  return readOr(NO_CONTENT, { state, page, read: () => page.content?.open() ?? NO_CONTENT });
}

function parse(state: State, page: Page, { blocks }: OpenContent): Promise<readonly BlockInput[]> {
  return readOr([], { state, page, read: blocks });
}

/** Content that cannot be read is reported, and its page is empty. */
async function readOr<T>(
  empty: T,
  { state, page, read }: {
    readonly state: State;
    readonly page: Page;
    readonly read: () => T | Promise<T>;
  },
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    state.report.omit(page.key, error.message);
    return empty;
  }
}

/** Returns whether content can be written now: pages in it stand where their links are. */
function refersToWritten(
  { registry, parents }: State,
  { key }: Page,
  blocks: readonly BlockInput[],
): boolean {
  const isThere = targetsIn(blocks).every((target) =>
    target.kind === "file" || registry.node(target.key) !== undefined
  );
  return isThere && blocks.every((block) => childOf(parents, key, block) === undefined);
}

async function uploadAll({ uploads }: State, blocks: readonly BlockInput[]): Promise<string[]> {
  const files = targetsIn(blocks).flatMap((one) => one.kind === "file" ? [one.path] : []);
  for (const path of files) await uploads.upload(path);
  return files;
}

async function appendBlocks(
  state: State,
  page: Page,
  blocks: readonly BlockInput[],
): Promise<void> {
  const { registry, report, uploads } = state;
  const parent = registry.node(page.key)?.id;
  if (parent === undefined) return report.omit(page.key, "its page could not be written");
  const files = await uploadAll(state, blocks);
  const send = async (attempt: string) => {
    const hasChildren = state.hasChildren.has(page.key);
    for (
      const [index, segment] of segmentsOf(page.key, blocks, { ...state, hasChildren }).entries()
    ) {
      await sendBlocks(state, parent, { ...segment, name: `${page.key}/${attempt}${index}` });
    }
  };
  try {
    await send("");
  } catch (error) {
    // Uploads of an earlier run that nothing referred to have expired meanwhile.
    if (!(error instanceof ApiError) || error.status !== 400 || files.length === 0) throw error;
    await uploads.refresh(files);
    await send("again ");
  }
  const links = linksIn(blocks);
  registry.finish(page.key, CONTENT, `${links}`);
  countLinks(state, links);
}

function linksIn(blocks: readonly BlockInput[]): number {
  return targetsIn(blocks).filter(({ kind }) => kind === "node").length;
}

function countLinks({ report }: State, links: number): void {
  if (links > 0) report.count("links", links);
}

/** Uploads the files in the cells of a row, and adds them to its values. */
async function withFiles(state: State, page: Page, body: JsonObject): Promise<JsonObject> {
  if (page.kind !== "row") return body;
  const entries: [string, JsonObject][] = [];
  for (const [index, { type, name }] of state.registry.columns(page.parent).entries()) {
    const cell = page.cells[index] ?? "";
    if (type !== "files" || typeof cell === "string") continue;
    entries.push([name, { files: await filesOf(state, cell) }]);
  }
  const { properties } = body;
  const values = typeof properties === "object" && !Array.isArray(properties) ? properties : {};
  return { ...body, properties: { ...values, ...Object.fromEntries(entries) } };
}

async function filesOf({ uploads }: State, urls: readonly string[]): Promise<JsonObject[]> {
  const files: JsonObject[] = [];
  for (const url of urls) {
    const target = parseTarget(url);
    if (target?.kind !== "file") continue;
    await uploads.upload(target.path);
    const id = uploads.id(target.path);
    if (id !== undefined) files.push({ name: baseOf(target.path), file_upload: { id } });
  }
  return files;
}
