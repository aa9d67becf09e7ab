/**
 * Shared by the tests of the API: creates pages, appends blocks, and reads lists and trees.
 *
 * @module
 */
import { assert, assertEquals } from "../assert.ts";
import type { Answer, CallOptions, TestApp } from "../support/app.ts";

export const UNKNOWN = "00000000-0000-4000-8000-000000000000";

/** A block in the form of a reply. */
export interface BlockAnswer {
  readonly id: string;
  readonly type: string;
  readonly has_children: boolean;
  readonly in_trash: boolean;
  readonly [member: string]: unknown;
}

/** A block with its descendants, without members that differ between runs. */
export interface Tree {
  readonly type: string;
  readonly value: unknown;
  readonly children: readonly Tree[];
}

export function text(content: string): object[] {
  return [{ text: { content } }];
}

export function paragraph(content: string): object {
  return { paragraph: { rich_text: text(content) } };
}

export function toggle(content: string, children: readonly object[] = []): object {
  return { toggle: { rich_text: text(content), children } };
}

/** Status and code of an error response. */
export function refusal({ status, json }: Answer): readonly [number, string] {
  return [status, json.code];
}

type Caller = Pick<TestApp, "call">;

/** Calls a route that must succeed and returns its body. */
export async function succeed(
  { call }: Caller,
  route: string,
  options: CallOptions = {},
): Promise<Answer["json"]> {
  const answer = await call(route, options);
  assertEquals(answer.status, 200, `${route}: ${answer.text}`);
  return answer.json;
}

export interface NewPage extends Pick<CallOptions, "token"> {
  readonly title?: string;
  readonly parent?: object;
  readonly children?: readonly object[];
}

/** Creates a page and returns its id. */
export async function newPage(app: Caller, options: NewPage = {}): Promise<string> {
  const { title = "Home", parent = { workspace: true }, children = [], token } = options;
  const body = { parent, properties: { title: text(title) }, children };
  const { id } = await succeed(app, "POST /v2/pages", {
    body,
    ...(token !== undefined && { token }),
  });
  return id;
}

/** Appends blocks and returns the service's reply. */
export async function append(
  app: Caller,
  parentId: string,
  body: { readonly children: readonly object[]; readonly [member: string]: unknown },
): Promise<BlockAnswer[]> {
  const list = await succeed(app, `PATCH /v2/blocks/${parentId}/children`, { body });
  return list.results;
}

/** Appends one block and returns it. */
export async function appendOne(
  app: Caller,
  parentId: string,
  block: object,
): Promise<BlockAnswer> {
  const [first] = await append(app, parentId, { children: [block] });
  assert(first !== undefined);
  return first;
}

export interface Listing extends Pick<CallOptions, "token"> {
  readonly pageSize?: number;
}

/** All children, over all pages; checks that every page except the last one is full. */
export async function childrenOf(
  app: Caller,
  id: string,
  { pageSize = 100, ...options }: Listing = {},
): Promise<BlockAnswer[]> {
  const all: BlockAnswer[] = [];
  const path = `GET /v2/blocks/${id}/children?page_size=${pageSize}`;
  for (let cursor: string | null = ""; cursor !== null;) {
    const list: Answer["json"] = await succeed(
      app,
      cursor === "" ? path : `${path}&start_cursor=${cursor}`,
      options,
    );
    assertEquals(list.has_more, list.next_cursor !== null);
    if (list.has_more) assertEquals(list.results.length, pageSize);
    all.push(...list.results);
    cursor = list.next_cursor;
  }
  return all;
}

/** All descendants of a page or block, following `has_children`. */
export async function treeOf(app: Caller, id: string, listing: Listing = {}): Promise<Tree[]> {
  const trees: Tree[] = [];
  for (const block of await childrenOf(app, id, listing)) {
    const children = block.has_children ? await treeOf(app, block.id, listing) : [];
    assertEquals(children.length > 0, block.has_children);
    trees.push({ type: block.type, value: block[block.type], children });
  }
  return trees;
}

export function idsOf(blocks: readonly { readonly id: string }[]): string[] {
  return blocks.map(({ id }) => id);
}

/** The plain text of each block. */
export function textsOf(blocks: readonly BlockAnswer[]): string[] {
  return blocks.map((block) => {
    const value = block[block.type];
    assert(typeof value === "object" && value !== null && "rich_text" in value);
    assert(Array.isArray(value.rich_text));
    return value.rich_text.map((item) => item.plain_text).join("");
  });
}
