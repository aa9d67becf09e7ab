/**
 * The content of a page as Markdown, in one call.
 *
 * @module
 */
import * as v from "valibot";
import { idInput, idOutput } from "../content/ids.ts";
import { namesIn, renderContent, type RenderedPage } from "../content/markdown/render.ts";
import type { UrlOf } from "../content/markdown/to_phrasing.ts";
import type { Content } from "../content/node.ts";
import { notFound } from "../errors.ts";
import type { Call, Reply } from "../http/endpoint.ts";
import { streamOf } from "../http/output.ts";
import { contentEtag, findNode, type Names, readNames } from "./nodes.ts";
import { define, type Services } from "./services.ts";

const MARKDOWN_TYPE = "text/markdown";
/** Blocks from which on an answer goes out in parts. */
const LARGE = 20_000;

/** The content of a page as it is answered. */
export const pageMarkdown = v.object({
  object: v.literal("page_markdown"),
  id: idOutput,
  markdown: v.pipe(v.string(), v.description("CommonMark with GFM and math.")),
  truncated: v.pipe(v.literal(false), v.description("Content is never cut.")),
  unknown_block_ids: v.pipe(
    v.array(idOutput),
    v.description("Blocks whose content or nesting the text does not show."),
  ),
});

export const markdownEndpoints = [
  define({
    method: "GET",
    path: "/v2/pages/:page_id/content/markdown",
    operationId: "getPageMarkdown",
    tag: "Pages",
    summary: "Read a page's content as Markdown",
    description: "Reads all blocks of a page, of any depth and number, as one text. " +
      "Pages and databases in it are links. `Accept: text/markdown` answers the text alone.",
    params: v.strictObject({ page_id: v.pipe(idInput, v.description("Id of the page.")) }),
    response: pageMarkdown,
    alternatives: [MARKDOWN_TYPE],
    handle: readMarkdown,
  }),
];

type MarkdownCall = Pick<
  Call<{ readonly page_id: string }, unknown, unknown>,
  "params" | "caller" | "mediaType" | "requireMatch" | "isHeld"
>;

async function readMarkdown(call: MarkdownCall, services: Services): Promise<Reply> {
  const { params, caller: { workspace }, mediaType } = call;
  const isText = mediaType === MARKDOWN_TYPE;
  const tagOf = ({ version }: { readonly version: number }, names: Names) =>
    contentEtag(services, { version, names, form: isText ? "t" : "j" });
  const page = await findNode(services, workspace, { kind: "page", id: params.page_id });
  const mentioning = await services.store.mentioning(workspace, page.id);
  const names = await readNames(services, workspace, namesIn(mentioning));
  const etag = tagOf(page, names);
  call.requireMatch(etag);
  const contentType = isText ? `${MARKDOWN_TYPE}; charset=utf-8` : undefined;
  const common = { etag, ...(contentType !== undefined && { contentType }) };
  if (call.isHeld(etag)) return { ...common, body: "" };
  const content = await services.store.content(workspace, page.id);
  if (content === undefined) throw notFound("page", page.id);
  // What somebody wrote meanwhile is shown under its own tag.
  const isSame = content.version === page.version;
  const shown = isSame ? names : await readNames(services, workspace, namesIn(content.nodes));
  const rendered = renderContent(page.id, content.nodes, {
    names: shown,
    urlOf: addressesOf(services),
  });
  const parts = isText ? rendered.parts : jsonParts(page.id, rendered);
  return { ...common, etag: tagOf(content, shown), body: bodyOf(content, parts) };
}

function bodyOf({ nodes }: Content, parts: Iterable<string>): Reply["body"] {
  return nodes.length < LARGE ? [...parts].join("") : streamOf(parts);
}

function* jsonParts(id: string, { parts, unknownIds }: RenderedPage): Generator<string> {
  yield `{"object":"page_markdown","id":"${id}","markdown":"`;
  for (const part of parts) yield JSON.stringify(part).slice(1, -1);
  yield `","truncated":false,"unknown_block_ids":${JSON.stringify(unknownIds)}}`;
}

function addressesOf({ publicUrl }: Services): UrlOf {
  return (kind, id) => `${publicUrl}/v2/${kind}s/${id}`;
}
