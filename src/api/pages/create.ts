/**
 * Creates pages: one of them, or several of one parent at once.
 *
 * @module
 */
import type { PageCreateInput } from "../../content/pages/pages.ts";
import { type PageParent, toParent } from "../../content/schema/parents.ts";
import { LIMITS } from "../../content/values/limits.ts";
import { LINES_TYPE } from "../../http/body.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import { validationError } from "../../shared/errors.ts";
import type { SiblingPosition } from "../../store/port.ts";
import { rowReply } from "../databases/rows.ts";
import type { Services } from "../shared/services.ts";
import { type WriteDecision, writePrepared } from "../shared/write.ts";
import { type DraftedPages, draftPages } from "./draft_pages.ts";
import { type FirstContent, readContent } from "./first_content.ts";
import { pageReply } from "./reply.ts";

type CreateCall = Pick<Call<unknown, unknown, PageCreateInput>, "caller" | "now" | "body">;

export interface CreateOptions {
  /** Position of the page among the blocks of its parent page; default: the end. */
  readonly place?: SiblingPosition;
}

/** Decides on a new page from valid input. */
export async function decideCreate(
  call: CreateCall,
  services: Services,
  content: FirstContent,
  { place: sibling = "end" }: CreateOptions = {},
): Promise<WriteDecision> {
  const { body, caller: { workspace }, now } = call;
  const { changes, database, nodes: [node] } = await draftPages(call, services, {
    parent: toParent(body.parent),
    drafts: [{ body, content, pointer: "" }],
    sibling,
  });
  if (node === undefined) throw new Error("A draft makes a page");
  const reply = database === undefined
    ? await pageReply(services, workspace, node)
    : await rowReply(services, workspace, { node, database, changes, now });
  return { changes, reply, shows: node.id };
}

type PagesCall = Call<unknown, unknown, readonly PageCreateInput[]>;

/** Creates pages of one parent: all of them, or none. Replies with their IDs, in order. */
export async function createPages(call: PagesCall, services: Services): Promise<Reply> {
  const parent = requireOneParent(call.body);
  // Others are served between the pages, and none waits for them in a shared transaction.
  const reply = await writePrepared({ ...call, isLarge: true }, services, async (judged) => {
    const { caller } = judged;
    const contents: FirstContent[] = [];
    for (const [index, body] of judged.body.entries()) {
      contents.push(await readContent(services, { caller, body }, `/${index}`));
    }
    return (checked, own) => decideCreateAll(checked, own, { parent, contents });
  });
  return { ...reply, contentType: LINES_TYPE };
}

async function decideCreateAll(
  call: Pick<PagesCall, "caller" | "now" | "body">,
  services: Services,
  { parent, contents }: {
    readonly parent: PageParent;
    readonly contents: readonly FirstContent[];
  },
): Promise<WriteDecision> {
  const drafted = await draftPages(call, services, {
    parent,
    drafts: contents.flatMap((content, index) => {
      const body = call.body[index];
      return body === undefined ? [] : [{ body, content, pointer: `/${index}` }];
    }),
    sibling: "end",
  });
  requireFewBlocks(drafted);
  const lines = drafted.nodes.map(({ id }) => `{"object":"page","id":"${id}"}\n`);
  return { changes: drafted.changes, reply: { body: lines.join("") } };
}

/** Returns the parent that all pages name. Throws `validation_error` if there are several. */
function requireOneParent(bodies: readonly PageCreateInput[]): PageParent {
  const [parent, ...others] = bodies.map((body) => toParent(body.parent));
  if (parent === undefined) throw new Error("A body of lines has at least one");
  const issues = others.flatMap(({ kind, id }, index) =>
    kind === parent.kind && id === parent.id
      ? []
      : [{ pointer: `/${index + 1}/parent`, detail: "All lines must name the same parent." }]
  );
  if (issues.length > 0) throw validationError(issues);
  return parent;
}

/** Throws `validation_error` if the pages have more blocks together than a request may. */
function requireFewBlocks({ changes }: DraftedPages): void {
  const blocks = changes.filter((change) => change.op === "insert" && change.node.kind === "block");
  if (blocks.length <= LIMITS.blocksPerRequest) return;
  throw validationError([{
    pointer: "",
    detail: `The pages should have at most \`${LIMITS.blocksPerRequest}\` blocks in all, ` +
      `instead of \`${blocks.length}\`.`,
  }]);
}
