/**
 * Edits the content of a page as Markdown. Blocks that the edit does not change stay the same
 * blocks, with their IDs.
 *
 * @module
 */
import * as v from "valibot";
import { type MarkdownDraft, placeNodes } from "../../content/markdown/place_nodes.ts";
import type { Change, ContentNode, Node } from "../../content/schema/node.ts";
import { idInput, normalizeId } from "../../content/values/ids.ts";
import { positionsIn } from "../../content/values/position.ts";
import { AppError, validationError } from "../../shared/errors.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";
import type { Call, Endpoint, Reply } from "../../http/endpoint.ts";
import { editOf, requireAlive } from "../../api/shared/edits.ts";
import { findNode } from "../../api/shared/nodes.ts";
import type { Services } from "../../api/shared/services.ts";
import { type WriteDecision, writePrepared } from "../../api/shared/write.ts";
import { own } from "../endpoint.ts";
import { editText, type MarkdownEdit, markdownEdit, MAX_LENGTH, mayDelete } from "./edit_text.ts";
import { blockTexts, matchBlocks, type Pair, rootsOf } from "./match_blocks.ts";

type EditCall = Call<{ readonly page_id: string }, unknown, MarkdownEdit>;

/** Attempts to edit a page that is being changed. */
const ATTEMPTS = 5;

/** Declares the endpoint; `read` is the one that reads a page's Markdown. */
export function markdownUpdate(read: Endpoint<Services>): Endpoint<Services> {
  return own({
    method: "PATCH",
    path: "/v1/pages/:page_id/markdown",
    operationId: "updatePageMarkdown",
    params: v.strictObject({ page_id: idInput }),
    body: markdownEdit,
    response: read.response,
    handle: async (call, services) => {
      const written = await update({ call, read }, services);
      // The tag that the request expects was that of the page before.
      const now = { ...call, requireMatch: () => {} };
      const reply = await readMarkdown({ call: now, read }, services);
      return written.replayed === true ? { ...reply, replayed: true } : reply;
    },
  });
}

interface Edit {
  readonly call: EditCall;
  readonly read: Endpoint<Services>;
}

/** Thrown if the page changed while its text was edited. */
class PageChanged extends Error {}

async function update(edit: Edit, services: Services): Promise<Reply> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return await writePrepared(edit.call, services, async () => {
        const plan = await planEdit(edit, services);
        return (call, own) => decide(call, own, plan);
      });
    } catch (error) {
      if (!(error instanceof PageChanged)) throw error;
    }
  }
  throw new AppError("conflict_error", "Conflict occurred while saving. Please try again.");
}

function readMarkdown({ call, read }: Edit, services: Services): Promise<Reply> | Reply {
  const { page_id } = call.params;
  const isNotModified = () => false;
  return read.handle({ ...call, params: { page_id }, isNotModified }, services);
}

/** The changes that an edit makes to a version of the page. */
interface Plan {
  readonly version: number;
  /** Number of top-level blocks that the text had; others may be in the page. */
  readonly oldBlocks: number;
  readonly draft: MarkdownDraft;
  /** Blocks that stay. */
  readonly kept: readonly Pair[];
}

async function planEdit({ call, read }: Edit, services: Services): Promise<Plan> {
  const { params, body, caller } = call;
  const page = await findNode(services, caller.workspace, { kind: "page", id: params.page_id });
  requireAlive(page);
  const markdown = textOf(await readMarkdown({ call, read }, services));
  const edited = await editText(markdown, body);
  if (edited.length > MAX_LENGTH) throw tooLong();
  const [old, draft] = await Promise.all([
    services.readMarkdown(markdown, caller, "enhanced"),
    services.readMarkdown(edited, caller, "enhanced"),
  ]);
  const rest = createRest();
  const oldTexts = await blockTexts(old, rest);
  const kept = await matchBlocks(oldTexts, await blockTexts(draft, rest), rest);
  return { version: page.version, oldBlocks: oldTexts.length, draft, kept };
}

function textOf({ body }: Reply): string {
  if (typeof body !== "string" || body.length > MAX_LENGTH) throw tooLong();
  // Sound because the endpoint replies with the JSON of a page's Markdown.
  const page = JSON.parse(body) as { readonly markdown: string; readonly truncated: boolean };
  // An edit would delete the blocks that the text leaves out.
  if (page.truncated) throw tooLong();
  return page.markdown;
}

function tooLong(): Error {
  const detail = "The page is too long to be edited as Markdown: append, update and delete blocks.";
  return validationError([{ pointer: "", detail }]);
}

async function decide(
  call: EditCall,
  services: Services,
  { version, oldBlocks, draft, kept }: Plan,
): Promise<WriteDecision> {
  const { params, body, caller: { workspace } } = call;
  const pageId = normalizeId(params.page_id);
  const content = await services.store.content(workspace, pageId);
  if (content?.version !== version) throw new PageChanged();
  const blocks = topLevel(content.nodes, pageId);
  // If a block has another number of blocks as text, none can be told to be the same.
  const staying = blocks.length === oldBlocks ? kept : [];
  const stays = new Set(staying.map(([old]) => old));
  const removed = blocks.filter((_, index) => !stays.has(index));
  if (!mayDelete(body)) requireOnlyBlocks(removed);
  const edit = editOf(call);
  const target = { pageId, edit, newId: services.newId };
  const nodes = placeNodes(draft, target, { withMatter: true });
  const inserts = await insertsOf({ nodes, draft, staying, blocks }, {
    gapAfter: (id) => gapAfter(services, { workspace, pageId, id }),
  });
  const trashed = removed.map(({ id, version }) => ({ op: "trash", id, version, edit }) as const);
  if (trashed.length + inserts.length === 0) return { changes: [], reply: { body: "{}" } };
  // The text was edited as it was in this version; every change of the page's content makes a new one.
  const expected = { op: "expect", id: pageId, version } as const;
  const touched = { op: "touch", id: pageId, edit } as const;
  return { changes: [expected, ...trashed, ...inserts, touched], reply: { body: "{}" } };
}

function topLevel(nodes: readonly ContentNode[], pageId: string): ContentNode[] {
  return nodes.filter(({ parentId }) => parentId === pageId)
    .sort((a, b) => a.position < b.position ? -1 : 1);
}

function requireOnlyBlocks(removed: readonly ContentNode[]): void {
  const children = removed.filter(({ kind }) => kind !== "block");
  if (children.length === 0) return;
  const names = children.map(({ title }) => JSON.stringify(title)).join(", ");
  throw validationError([{
    pointer: "",
    detail:
      `The edit would delete child pages or databases: ${names}. Set allow_deleting_content to true if that is intended.`,
  }]);
}

type Gap = Parameters<typeof positionsIn>[0];

async function gapAfter(
  { store }: Services,
  { workspace, pageId, id }: {
    readonly workspace: string;
    readonly pageId: string;
    readonly id: string | undefined;
  },
): Promise<Gap> {
  const gap = await store.gap(workspace, pageId, id === undefined ? "start" : { after: id });
  if (gap === undefined) throw new PageChanged();
  return gap;
}

interface Inserted {
  readonly nodes: readonly Node[];
  readonly draft: MarkdownDraft;
  readonly staying: readonly Pair[];
  readonly blocks: readonly ContentNode[];
}

/** Inserts each run of new blocks behind the block that stays before it; one query for each run. */
async function insertsOf(
  { nodes, draft, staying, blocks }: Inserted,
  { gapAfter }: { readonly gapAfter: (id: string | undefined) => Promise<Gap> },
): Promise<Change[]> {
  const roots = rootsOf(draft);
  const stays = new Map(staying.map(([old, fresh]) => [fresh, old]));
  const runs = new Map<string | undefined, number[]>();
  let before: string | undefined;
  const count = roots.reduce((most, root) => Math.max(most, root + 1), 0);
  for (let root = 0; root < count; root++) {
    const old = stays.get(root);
    if (old === undefined) runs.getOrInsertComputed(before, () => []).push(root);
    else before = blocks[old]?.id;
  }
  const positions = new Map<number, string>();
  for (const [after, run] of runs) {
    const found = positionsIn(await gapAfter(after), run.length);
    run.forEach((root, index) => positions.set(root, found[index] ?? ""));
  }
  return nodes.flatMap((node, index) => {
    const position = positions.get(roots[index] ?? 0);
    if (position === undefined) return [];
    const placed = node.parentKind === "page" ? { ...node, position } : node;
    return [{ op: "insert", node: placed } as const];
  });
}
