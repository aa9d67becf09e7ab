/**
 * Writes the content of pages and rows: at once if all that it refers to exists, else later.
 *
 * @module
 */
import type { BlockInput } from "../../../content/blocks/mod.ts";
import { ApiError } from "../../transfer/api_error.ts";
import { type JsonObject, objectsAt, textAt } from "../../transfer/json.ts";
import { openBlock } from "../links/blocks.ts";
import { parseTarget } from "../links/target.ts";
import type { PlannedPage, PlannedRow } from "../plan.ts";
import { baseOf } from "../source/names.ts";
import { SourceError } from "../source/source.ts";
import { type DividedBlock, fitInOne, portionsOf } from "./portions.ts";
import { CONTENT, type Registry } from "./registry.ts";
import { loneTarget, settleBlocks, targetsIn } from "./settle.ts";
import { createUploads } from "./uploads.ts";
import type { WriteInput } from "./write_plan.ts";

type Page = PlannedPage | PlannedRow;

export interface ContentWriter {
  /** Creates a page or row, with its content if all that it refers to exists. */
  create(page: Page, body: JsonObject): Promise<void>;
  /** Writes the content of a page that exists. */
  append(page: Page): Promise<void>;
  /** The pages whose content is still to be written. */
  deferred(): readonly Page[];
  isUploaded(path: string): boolean;
}

/** Where blocks go in their page. */
type Position = JsonObject | undefined;

interface Segment {
  readonly position: Position;
  readonly blocks: BlockInput[];
}

/** Creates the writer of contents. */
export function createContentWriter(input: WriteInput, registry: Registry): ContentWriter {
  const { api, report, plan } = input;
  const uploads = createUploads(input, registry);
  const written = { node: registry.node, file: uploads.id };
  const parents = new Map(plan.nodes.map(({ key, parent }) => [key, parent]));
  const hasChildren = new Set(parents.values());
  const deferred: Page[] = [];

  const read = async ({ key, content }: Page): Promise<readonly BlockInput[]> => {
    try {
      return await content?.blocks() ?? [];
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      report.omit(key, error.message);
      return [];
    }
  };
  const uploadAll = async (blocks: readonly BlockInput[]): Promise<string[]> => {
    const files = targetsIn(blocks).flatMap((one) => one.kind === "file" ? [one.path] : []);
    for (const path of files) await uploads.upload(path);
    return files;
  };
  const isReady = (page: Page, blocks: readonly BlockInput[]) =>
    targetsIn(blocks).every((target) =>
      target.kind === "file" || registry.node(target.key) !== undefined
    ) && !blocks.some((block) => isChildLink(page, block));

  const isChildLink = ({ key }: Page, block: BlockInput): boolean =>
    childOf(key, block) !== undefined;

  /** The child page that a paragraph of nothing but a link stands for. */
  const childOf = (key: string, block: BlockInput): string | undefined => {
    const { type, body } = openBlock(block);
    const target = type === "paragraph" ? loneTarget(body)?.target : undefined;
    return target?.kind === "node" && parents.get(target.key) === key ? target.key : undefined;
  };

  /** Divides content at the places of the child pages, which exist already. */
  const segmentsOf = ({ key }: Page, blocks: readonly BlockInput[]): Segment[] => {
    const start = hasChildren.has(key) ? { type: "start" } : undefined;
    const segments: Segment[] = [{ position: start, blocks: [] }];
    const placed = new Set<string>();
    for (const block of blocks) {
      const child = childOf(key, block);
      const id = child !== undefined && !placed.has(child) ? registry.node(child)?.id : undefined;
      if (id === undefined) segments.at(-1)?.blocks.push(...settleBlocks([block], written));
      else {
        placed.add(child ?? "");
        segments.push({ position: { type: "after_block", after_block: { id } }, blocks: [] });
      }
    }
    return segments;
  };

  const send = async (
    parent: string,
    { position, blocks }: Segment,
    name: string,
  ): Promise<void> => {
    const portions = portionsOf(blocks).map((portion, index) => ({ portion, index }));
    // Those that go to a fixed place are sent from the last to the first.
    if (position !== undefined) portions.reverse();
    for (const { portion, index } of portions) {
      await sendPortion(parent, { position, portion, name: `${name}/${index}` });
    }
  };
  const sendPortion = async (
    parent: string,
    { position, portion, name }: {
      readonly position: Position;
      readonly portion: readonly DividedBlock[];
      readonly name: string;
    },
  ): Promise<void> => {
    const children = portion.map(({ first }) => first);
    const body = { children, ...(position && { position }) } as unknown as JsonObject;
    const step = { key: name, step: CONTENT };
    const reply = await api.patch(`/v2/blocks/${parent}/children`, body, {
      key: registry.keyOf(step),
    });
    const ids = objectsAt(reply, "results").map((block) => textAt(block, "id"));
    for (const [at, { rest }] of portion.entries()) {
      if (rest.length === 0) continue;
      await send(ids[at] ?? "", { position: undefined, blocks: [...rest] }, `${name}/${at}`);
    }
  };

  const appendBlocks = async (page: Page, blocks: readonly BlockInput[]): Promise<void> => {
    const parent = registry.node(page.key)?.id;
    if (parent === undefined) return report.omit(page.key, "its page could not be written");
    const files = await uploadAll(blocks);
    const write = async (attempt: string) => {
      for (const [index, segment] of segmentsOf(page, blocks).entries()) {
        await send(parent, segment, `${page.key}/${attempt}${index}`);
      }
    };
    try {
      await write("");
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400 || files.length === 0) throw error;
      await uploads.refresh(files);
      await write("again ");
    }
    finishContent(page, blocks);
  };
  const finishContent = ({ key }: Page, blocks: readonly BlockInput[]): void => {
    registry.finish(key, CONTENT);
    const links = targetsIn(blocks).filter(({ kind }) => kind === "node").length;
    if (links > 0) report.count("links", links);
  };

  return {
    deferred: () => deferred,
    isUploaded: (path) => uploads.id(path) !== undefined,
    async append(page) {
      if (!registry.isDone(page.key, CONTENT)) await appendBlocks(page, await read(page));
    },
    async create(page, body) {
      if (registry.isDone(page.key, CONTENT)) return;
      const blocks = await read(page);
      const withFiles = await addFiles(page, body);
      const isNow = isReady(page, blocks);
      if (isNow) await uploadAll(blocks);
      const settled = isNow ? settleBlocks(blocks, written) : [];
      const isOne = isNow && settled.length > 0 && fitInOne(settled);
      const isNew = registry.node(page.key) === undefined;
      if (isNew && isOne) {
        const children = { children: settled } as unknown as JsonObject;
        if (await registry.createWhole(page, withFiles, children)) {
          return finishContent(page, blocks);
        }
      } else await registry.create(page, "/v2/pages", withFiles);
      if (blocks.length === 0) finishContent(page, blocks);
      else if (isNow) await appendBlocks(page, blocks);
      else deferred.push(page);
    },
  };

  /** Uploads the files in the cells of a row, and adds them to its values. */
  async function addFiles(page: Page, body: JsonObject): Promise<JsonObject> {
    if (page.kind !== "row") return body;
    const entries: [string, JsonObject][] = [];
    for (const [index, { type, name }] of registry.columns(page.parent).entries()) {
      const cell = page.cells[index] ?? "";
      if (type !== "files" || typeof cell === "string") continue;
      const files: JsonObject[] = [];
      for (const url of cell) {
        const target = parseTarget(url);
        if (target?.kind !== "file") continue;
        await uploads.upload(target.path);
        const id = uploads.id(target.path);
        if (id !== undefined) files.push({ name: baseOf(target.path), file_upload: { id } });
      }
      entries.push([name, { files }]);
    }
    const { properties } = body;
    const values = typeof properties === "object" && !Array.isArray(properties) ? properties : {};
    return { ...body, properties: { ...values, ...Object.fromEntries(entries) } };
  }
}
