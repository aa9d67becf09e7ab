/**
 * Reads the stored content of a page: that of a small one at once, that of others in pieces.
 *
 * @module
 */
import type { Content, NodeDoc } from "../../content/schema/node.ts";
import { readNodes } from "../../shared/node_portions.ts";
import { lazy } from "../../shared/lazy.ts";
import { findNode } from "../shared/nodes.ts";
import type { Services } from "../shared/services.ts";
import { type Mentioning, readMentioning } from "./shown_ids.ts";

/** Thrown if the page changed while it was read. */
export class PageChanged extends Error {}

/** A page whose content is being read. */
export interface PageReading {
  readonly version: number;
  /** Documents in the page that show names of others. */
  readonly mentioning: Mentioning;
  /** Reads the content. Throws `PageChanged` if it is of another version. */
  readContent(): Promise<Content>;
  /** Reads the documents of these nodes of the workspace, in any version. */
  readDocs(ids: ReadonlySet<string>): Promise<readonly NodeDoc[]>;
}

/** Begins to read a page: all of it, if it is small. Throws like `findNode()`. */
export async function readAtOnce(
  services: Services,
  workspace: string,
  id: string,
): Promise<PageReading> {
  const { store } = services;
  const small = await store.smallContent(workspace, id);
  if (small?.kind !== "page") return await readInPieces(services, workspace, id);
  const { version, nodes, docs } = small;
  const mentioning = new Set(nodes.flatMap(({ id, hasMentions }) => hasMentions ? id : []));
  return {
    version,
    mentioning: once(docs.filter((doc) => mentioning.has(doc.id))),
    readContent: () => Promise.resolve(small),
    async readDocs(ids) {
      // Copies of synced blocks show nodes of other pages.
      const others = ids.difference(new Set(docs.map(({ id }) => id)));
      return others.size === 0
        ? docs
        : [...docs, ...await readNodes(store, workspace, [...others])];
    },
  };
}

/** Begins to read a page: its version and what it mentions. Throws like `findNode()`. */
export async function readInPieces(
  services: Services,
  workspace: string,
  id: string,
): Promise<PageReading> {
  const { store } = services;
  const { version } = await findNode(services, workspace, { kind: "page", id });
  const content = lazy(async () => {
    const content = await store.content(workspace, id);
    if (content?.version !== version) throw new PageChanged();
    return content;
  });
  return {
    version,
    mentioning: readMentioning(services, { workspace, id }, async () => (await content()).nodes),
    readContent: content,
    readDocs: (ids) => readNodes(store, workspace, [...ids]),
  };
}

async function* once(docs: readonly NodeDoc[]): Mentioning {
  yield docs;
}
