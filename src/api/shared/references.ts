/**
 * Checks what a body refers to by ID: mentioned users, pages and databases, people, linked pages and
 * the originals of synced blocks.
 *
 * @module
 */
import { isShownOriginal } from "../../content/blocks/mod.ts";
import { normalizeId } from "../../content/values/ids.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { validationError, type ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import type { NodeReader, UserStore } from "../../store/port.ts";

type Kind = "user" | "page" | "database" | "synced_block";

/** An ID in a body, and where it is. */
interface Reference {
  readonly kind: Kind;
  readonly id: string;
  readonly pointer: string;
}

/**
 * Throws `validation_error` with every reference to something that the workspace does not have. Takes
 * two queries at most, whatever the body holds.
 */
export async function requireReferences(
  { store }: { readonly store: NodeReader & UserStore },
  workspace: string,
  body: unknown,
): Promise<void> {
  const references = [...referencesIn(body, "")];
  if (references.length === 0) return;
  const idsOf = (isUser: boolean) => [
    ...new Set(references.filter(({ kind }) => (kind === "user") === isUser).map(({ id }) => id)),
  ];
  const [userIds, nodeIds] = [idsOf(true), idsOf(false)];
  const [users, nodes] = await Promise.all([
    userIds.length === 0 ? [] : store.users(workspace, userIds),
    nodeIds.length === 0 ? [] : store.nodes(workspace, nodeIds),
  ]);
  const known = {
    users: new Set(users.map(({ id }) => id)),
    nodes: new Map(nodes.map((node) => [node.id, node])),
  };
  const issues = references.flatMap((reference) => issueOf(reference, known));
  if (issues.length > 0) throw validationError(issues);
}

interface Known {
  readonly users: ReadonlySet<string>;
  readonly nodes: ReadonlyMap<string, NodeView>;
}

function issueOf({ kind, id, pointer }: Reference, { users, nodes }: Known): ValidationIssue[] {
  const node = nodes.get(id);
  if (kind === "synced_block") return isShownOriginal(node) ? [] : [originalIssue(id, pointer)];
  if (kind === "user" ? users.has(id) : node?.kind === kind) return [];
  return [{ pointer, detail: `Could not find ${kind} with ID: ${id}.` }];
}

/** The issue of a copy whose original does not exist, is a copy itself or is in the trash. */
export function originalIssue(id: string, pointer: string): ValidationIssue {
  return {
    pointer,
    detail: `Could not find an original synced block with ID: ${id}. ` +
      "Name a `synced_block` whose `synced_from` is null.",
  };
}

/**
 * The references of a body, recognized by their shape: only a property, which the client names, can
 * have another value under these keys, and none of those has this form.
 */
function* referencesIn(value: unknown, pointer: string): Generator<Reference> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== "object" || inner === null) continue;
    const here = pointerTo(pointer, key);
    yield* ownReferences(key, inner, here);
    yield* referencesIn(inner, here);
  }
}

function* ownReferences(key: string, value: object, pointer: string): Generator<Reference> {
  if (key === "mention") {
    for (const kind of ["user", "page", "database"] as const) {
      yield* reference(kind, member(value, kind), { key: "id", pointer: pointerTo(pointer, kind) });
    }
  } else if (key === "link_to_page") {
    yield* reference("page", value, { key: "page_id", pointer });
    yield* reference("database", value, { key: "database_id", pointer });
  } else if (key === "synced_from") {
    yield* reference("synced_block", value, { key: "block_id", pointer });
  } else if (key === "people" && Array.isArray(value)) {
    for (const [index, person] of value.entries()) {
      yield* reference("user", person, { key: "id", pointer: pointerTo(pointer, index) });
    }
  }
}

interface ReferenceAt {
  readonly key: string;
  readonly pointer: string;
}

function* reference(
  kind: Kind,
  holder: unknown,
  { key, pointer }: ReferenceAt,
): Generator<Reference> {
  const id = member(holder, key);
  if (typeof id === "string") yield { kind, id: normalizeId(id), pointer: pointerTo(pointer, key) };
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}
