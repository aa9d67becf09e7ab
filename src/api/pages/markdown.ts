/**
 * Reads the content of a page as Markdown.
 *
 * @module
 */
import * as v from "valibot";
import { type DownloadUrl, fillFiles } from "../../content/values/hosted_files.ts";
import { idInput, idOutput, normalizeId } from "../../content/values/ids.ts";
import { PORTION_NODES } from "../../content/markdown/page_portions.ts";
import { storedId } from "../../content/markdown/copied_blocks.ts";
import type {
  MarkdownVariant,
  PortionData,
  PrintedPortion,
} from "../../content/markdown/print_portion.ts";
import {
  type DocOf,
  renderContent,
  type UnloadedPortion,
} from "../../content/markdown/render_page.ts";
import type { Content, ContentNode } from "../../content/schema/node.ts";
import { component } from "../../shared/component.ts";
import { AppError } from "../../shared/errors.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import type { QueueUser } from "../../shared/fair_queue.ts";
import { lazy } from "../../shared/lazy.ts";
import * as example from "../shared/examples.ts";
import { type CopySources, findCopySources, readCopiedNodes } from "./copied_blocks.ts";
import { PAGES } from "./endpoints.ts";
import { bodyOf, jsonParts } from "./markdown_body.ts";
import { PageChanged, type PageReading, readAtOnce, readInPieces } from "./page_reading.ts";
import { contentEtag, readNames } from "../shared/nodes.ts";
import { createRest, yieldToEventLoop } from "../../shared/yield_to_event_loop.ts";
import { addShownIds, readMentioning, type ShownIds } from "./shown_ids.ts";
import { define, type Services } from "../shared/services.ts";
import { readDownloadUrls } from "../shared/uploads.ts";

const MARKDOWN_TYPE = "text/markdown";
/** Pages with at least this many blocks are sent while they are printed. */
const LARGE = 20_000;
/** Bytes of the documents of a page whose read is long, however fast it is. */
const LONG = 1_000_000;
/**
 * Bytes of documents that are printed in this thread: some 10 ms of work, or 50 if each character
 * needs an escape.
 */
const SMALL = 50_000;
/** Bytes of the documents of a portion that is loaded while the one before it is printed. */
const AHEAD = 1_000_000;
/** Attempts to read a page that is being changed. */
const ATTEMPTS = 5;

const pageMarkdown = v.object({
  object: v.literal("page_markdown"),
  id: idOutput,
  // The size of a page is unlimited, and so is its text.
  markdown: v.pipe(
    v.string(),
    v.maxLength(2 ** 31 - 1),
    v.description("The content as CommonMark with GFM and math."),
  ),
  truncated: v.pipe(
    v.boolean(),
    v.description(
      "True if blocks are left out, because they are within a block at the top level that has more " +
        "than 16 MB of blocks before them.",
    ),
  ),
  unknown_block_ids: v.pipe(
    v.array(idOutput),
    v.description(
      "IDs of the blocks whose content or nesting Markdown cannot express, and of those left out.",
    ),
  ),
});
component(
  pageMarkdown,
  "PageMarkdown",
  "The content of a page as Markdown, and the blocks that Markdown cannot express.",
);

const variant = v.pipe(
  v.picklist(["commonmark", "enhanced"]),
  v.description(
    "Dialect of the text: CommonMark by default, or Notion's enhanced Markdown, which also keeps the colors of blocks and mentioned dates.",
  ),
);

export const markdownEndpoints = [
  define({
    method: "GET",
    path: "/v2/pages/:page_id/content/markdown",
    operationId: "getPageMarkdown",
    tag: PAGES,
    summary: "Read a page's content as Markdown",
    description: "Reads all content of a page at once, however many blocks it has. " +
      "Child pages and databases appear as links. " +
      "With `Accept: text/markdown` the response is the Markdown alone.",
    params: v.strictObject({ page_id: v.pipe(idInput, v.description("ID of the page.")) }),
    query: v.strictObject({ variant: v.exactOptional(variant) }),
    response: pageMarkdown,
    example: {
      response: {
        object: "page_markdown",
        id: example.PAGE,
        markdown: "## By the river\n\n- [ ] Count the nests\n",
        truncated: false,
        unknown_block_ids: [],
      },
    },
    alternatives: [MARKDOWN_TYPE],
    handle: readMarkdown,
  }),
];

type MarkdownCall = Pick<
  Call<{ readonly page_id: string }, { readonly variant?: MarkdownVariant }, unknown>,
  | "params"
  | "query"
  | "caller"
  | "hidden"
  | "isRedacted"
  | "mediaType"
  | "requireMatch"
  | "isNotModified"
  | "requireAwaited"
>;

const printer = lazy(() => import("../../content/markdown/print_portion.ts"));

/** Prints a portion in this thread. The printer is loaded on first use. */
async function printHere(portion: PortionData): Promise<PrintedPortion> {
  return (await printer()).printPortion(portion);
}

async function readMarkdown(call: MarkdownCall, services: Services): Promise<Reply> {
  if (call.mediaType === MARKDOWN_TYPE) requireShown(call);
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    try {
      return await readOnce(call, services);
    } catch (error) {
      if (!(error instanceof PageChanged)) throw error;
    }
  }
  throw new AppError(
    "service_unavailable",
    "The page was changed by other requests while it was read: try again",
    {
      headers: { "retry-after": "1" },
    },
  );
}

/** Throws `forbidden` if the policy hides the field that would be the whole response. */
function requireShown({ hidden }: MarkdownCall): void {
  const isHidden = hidden.some(({ object, keys: [member] }) =>
    object === "page_markdown" && member === "markdown"
  );
  if (isHidden) throw new AppError("forbidden", "Token may not see `page_markdown.markdown`");
}

/** Reads a consistent state of the page. Throws `PageChanged` if it changes in the meantime. */
async function readOnce(call: MarkdownCall, services: Services): Promise<Reply> {
  const { params, query: { variant }, caller, mediaType } = call;
  const { workspace } = caller;
  const { publicUrl, pageUrl, pageReplies, replies } = services;
  const isText = mediaType === MARKDOWN_TYPE;
  const form = `${isText ? "t" : "j"}${variant === "enhanced" ? "e" : ""}`;
  const id = normalizeId(params.page_id);
  const current = await pageReplies.find(workspace, id, form);
  if (current !== undefined) {
    call.requireMatch(current.etag);
    return current;
  }
  const key = `markdown ${form} ${workspace}\n${id}`;
  // Most pages that were read before have not changed, so that their content is not needed.
  const read = replies.has(key) ? readInPieces : readAtOnce;
  const page = await read(services, workspace, id);
  const rest = createRest();
  const shown: ShownIds = { users: new Set(), nodes: new Set(), uploads: new Set() };
  const { isEmpty, originals } = await addShownIds(shown, page.mentioning, rest);
  const sources = await findCopySources(services, workspace, originals);
  for (const source of sources.versions.keys()) {
    const place = { workspace, id: source };
    const nodesOf = async () => (await services.store.content(workspace, source))?.nodes ?? [];
    await addShownIds(shown, readMentioning(services, place, nodesOf), rest);
  }
  const [names, files] = await Promise.all([
    readNames(services, workspace, shown, rest),
    readDownloadUrls(services, workspace, shown.uploads, rest),
  ]);
  const { version } = page;
  const parts = { version, names, files, form, sources: sources.versions };
  const etag = await contentEtag(services, parts, rest);
  call.requireMatch(etag);
  const reply = { etag, ...(isText && { contentType: `${MARKDOWN_TYPE}; charset=utf-8` }) };
  if (call.isNotModified(etag)) return { ...reply, body: "" };
  const cached = replies.find(key, etag);
  if (cached !== undefined) return cached;
  const { content, omitted } = await withCopies(services, workspace, {
    sources,
    own: { id, content: await page.readContent() },
  });
  if (content.nodes.length >= PORTION_NODES) await yieldToEventLoop();
  const rendered = renderContent(id, content.nodes, {
    names,
    publicUrl,
    pageUrl,
    variant,
    docsOf: (nodes) => {
      call.requireAwaited();
      return readVersions(page, { nodes, files });
    },
    print: (portion) => {
      call.requireAwaited();
      return print(services, { content, portion, caller });
    },
  });
  for (const copy of omitted) rendered.unknownIds.push(copy);
  const pieces = isText ? rendered.parts : jsonParts(id, rendered);
  const isLarge = content.nodes.length >= LARGE;
  const isRedacted = call.isRedacted && !isText;
  const { body, fields } = await services.longReads(caller, async (pause) => {
    // The printed text is kept until all of the page is printed, or is sent.
    if (lengthOf(content) > LONG) await pause();
    return bodyOf(pieces, { isLarge, isRedacted });
  });
  if (typeof body !== "string") return { ...reply, body, ...(fields !== undefined && { fields }) };
  return isEmpty
    ? pageReplies.store(workspace, { id, version, hasMentions: false }, { ...reply, body }, {
      form,
    })
    : replies.store(key, etag, { ...reply, body });
}

/** Returns the content with what its copies of synced blocks show. */
async function withCopies(
  services: Services,
  workspace: string,
  { sources, own }: {
    readonly sources: CopySources;
    readonly own: { readonly id: string; readonly content: Content };
  },
): Promise<{ readonly content: Content; readonly omitted: readonly string[] }> {
  if (sources.originals.size === 0) return { content: own.content, omitted: sources.omitted };
  const copied = await readCopiedNodes(services, workspace, { sources, own });
  if (copied === undefined) throw new PageChanged();
  const nodes = [...own.content.nodes, ...copied.nodes];
  return { content: { ...own.content, nodes }, omitted: [...sources.omitted, ...copied.omitted] };
}

function lengthOf({ nodes }: Content): number {
  return nodes.reduce((sum, { length }) => sum + length, 0);
}

interface PortionToPrint {
  readonly content: Content;
  readonly portion: UnloadedPortion;
  readonly caller: QueueUser;
}

/** Prints a portion in this thread if that takes less time than handing it to a Worker. */
async function print(
  { printPortion }: Services,
  { content: { nodes }, portion, caller }: PortionToPrint,
): Promise<PrintedPortion> {
  const loaded = portion.length < AHEAD ? await portion.load() : undefined;
  const isSmall = nodes.length < PORTION_NODES && portion.length < SMALL;
  return loaded !== undefined && isSmall
    ? printHere(loaded)
    : printPortion(() => loaded ?? portion.load(), caller);
}

/**
 * Returns the documents of these versions, with the download URLs of `files`. Throws `PageChanged` if
 * one was replaced.
 */
async function readVersions(
  page: PageReading,
  { nodes, files }: {
    readonly nodes: readonly ContentNode[];
    readonly files: ReadonlyMap<string, DownloadUrl>;
  },
): Promise<DocOf> {
  const rest = createRest();
  const shown = new Map<string, number>();
  // Documents without names of others have no files either.
  const mentioning = new Set<string>();
  for (const { id, kind, version, hasMentions } of nodes) {
    if (kind === "block" || hasMentions) shown.set(storedId(id), version);
    if (hasMentions) mentioning.add(storedId(id));
    await rest();
  }
  const found = new Map<string, string>();
  for (const { id, version, doc } of await page.readDocs(new Set(shown.keys()))) {
    if (shown.get(id) === version) found.set(id, doc);
    await rest();
  }
  if (found.size < shown.size) throw new PageChanged();
  return (id) => {
    const doc = found.get(storedId(id));
    return doc !== undefined && mentioning.has(storedId(id)) ? fillFiles(doc, files) : doc;
  };
}
