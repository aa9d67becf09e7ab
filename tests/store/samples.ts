/**
 * Sample nodes and changes for tests of a store.
 *
 * @module
 */
import type { Comment } from "../../src/content/schema/comment.ts";
import type { Change, Edit, Node, NodeView } from "../../src/content/schema/node.ts";
import type { Upload } from "../../src/content/values/uploads.ts";
import type { User, UserClaims } from "../../src/content/values/users.ts";
import type { Receipt } from "../../src/store/port.ts";

export const FIRST: Edit = { time: 1_000, by: "ann" };
export const LATER: Edit = { time: 2_000, by: "bob" };

/** A page at the top of its workspace. */
export function page(id: string, members: Partial<Node> = {}): Node {
  return {
    id,
    kind: "page",
    type: "child_page",
    parentKind: "workspace",
    parentId: null,
    containerId: null,
    position: `p${id}`,
    title: `Title of ${id}`,
    doc: "{}",
    hasMentions: false,
    version: 1,
    createdTime: FIRST.time,
    createdBy: FIRST.by,
    editedTime: FIRST.time,
    editedBy: FIRST.by,
    trashRoot: null,
    ...members,
  };
}

/** A paragraph below a block. */
export function block(id: string, parentId: string, members: Partial<Node> = {}): Node {
  const place = { parentKind: "block", parentId } as const;
  return page(id, { kind: "block", type: "paragraph", ...place, title: "", ...members });
}

/** A comment on a page. */
export function commentOn(pageId: string, id: string): Comment {
  return {
    id,
    discussionId: `discussion of ${id}`,
    nodeId: pageId,
    pageId,
    doc: '{"rich_text":[],"attachments":[],"display_name":{"type":"user"},"sample":true}',
    hasMentions: false,
    version: 1,
    createdTime: FIRST.time,
    createdBy: FIRST.by,
    editedTime: FIRST.time,
    editedBy: FIRST.by,
  };
}

/** Returns the view of a node as inserted. */
export function view(node: Node, members: Partial<NodeView> = {}): NodeView {
  return { ...node, hasChildren: false, ...members };
}

export function insert(...nodes: readonly Node[]): Change[] {
  return nodes.map((node) => ({ op: "insert", node }));
}

export function update(id: string, version: number, doc = '{"new":true}'): Change {
  return { op: "update", id, version, title: "New", doc, hasMentions: true, edit: LATER };
}

export function trash(id: string, version = 1): Change {
  return { op: "trash", id, version, edit: LATER };
}

/** Moves a page that was not changed before into another. */
export function moveInto(parentId: string, id: string): Change {
  const to = { parentKind: "page", parentId, containerId: parentId, position: "m" } as const;
  return { op: "move", id, version: 1, to, edit: LATER };
}

export function restore(id: string, version = 2): Change {
  return { op: "restore", id, version, edit: LATER };
}

export function touch(id: string): Change {
  return { op: "touch", id, edit: LATER };
}

export function receipt(key: string, members: Partial<Receipt> = {}): Receipt {
  return {
    key,
    fingerprint: `fingerprint of ${key}`,
    status: 200,
    etag: '"1"',
    body: '{"a":1}',
    createdTime: 1_000,
    expiresTime: 2_000,
    ...members,
  };
}

export function person(id: string, members: Partial<User> = {}): User {
  return { id, type: "person", name: "Ann", email: "ann@example.com", avatarUrl: null, ...members };
}

/** An upload whose bytes are not there yet. */
export function pendingUpload(id: string): Upload {
  return {
    id,
    status: "pending",
    parts: null,
    filename: "a.txt",
    contentType: "text/plain",
    contentLength: 3,
    blob: null,
    hash: null,
    createdTime: FIRST.time,
    createdBy: FIRST.by,
    expiresTime: null,
    life: 1,
    sourceUrl: "https://a.test/a.txt",
    failure: null,
  };
}

/** A token's description of a user that leaves nothing out. */
export function completeClaims(id: string): UserClaims {
  return { ...person(id, { avatarUrl: "https://a.test/ann" }), pseudonym: "p1" };
}

/** Assignments in SQL that change what is shown of users and uploads. */
export const RECORD_DAMAGE = {
  users: ["name = 'Anm'", "email = NULL", "type = 'bot'", "avatar_url = 'https://b.test/ann'"],
  uploads: ["filename = 'b'", "content_type = 'text/html'", "hash = 'h'", "status = 'uploaded'"],
};
