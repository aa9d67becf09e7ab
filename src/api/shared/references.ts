/**
 * Checks the originals that a body names for copies of synced blocks.
 *
 * Mentions, links and people may name what does not exist yet: a user is created by the first call with
 * one of its tokens, and a tree of pages is copied in any order.
 *
 * @module
 */
import { isShownOriginal } from "../../content/blocks/mod.ts";
import { normalizeId } from "../../content/values/ids.ts";
import { validationError, type ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import type { NodeReader } from "../../store/port.ts";
import { readNodes } from "../../shared/node_portions.ts";

/** The ID of an original in a body, and where it is. */
interface Reference {
  readonly id: string;
  readonly pointer: string;
}

/**
 * Throws `validation_error` for every `synced_from` that names no original outside the trash. Takes one
 * query at most.
 */
export async function requireOriginals(
  { store }: { readonly store: NodeReader },
  workspace: string,
  references: readonly Reference[],
): Promise<void> {
  if (references.length === 0) return;
  const found = await readNodes(store, workspace, [...new Set(references.map(({ id }) => id))]);
  const originals = new Set(found.filter(isShownOriginal).map(({ id }) => id));
  const issues = references.filter(({ id }) => !originals.has(id)).map(originalIssue);
  if (issues.length > 0) throw validationError(issues);
}

function originalIssue({ id, pointer }: Reference): ValidationIssue {
  return {
    pointer,
    detail: `Could not find an original synced block with ID: ${id}. ` +
      "Name a `synced_block` whose `synced_from` is null.",
  };
}

/**
 * The originals that a body names, at any depth. They are recognized by their shape. Pointers are made
 * for them alone, as a body may have tens of thousands of other objects.
 */
export function originalsIn(body: unknown): Reference[] {
  const found: Reference[] = [];
  findOriginals(body, [], found);
  return found;
}

function findOriginals(value: unknown, path: string[], found: Reference[]): void {
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    const inner: unknown = Reflect.get(value, key);
    if (typeof inner !== "object" || inner === null) continue;
    path.push(key);
    const id = key === "synced_from" ? blockId(inner) : undefined;
    if (id === undefined) findOriginals(inner, path, found);
    else found.push({ id: normalizeId(id), pointer: [...path, "block_id"].reduce(pointerTo, "") });
    path.pop();
  }
}

function blockId(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("block_id" in value)) return undefined;
  return typeof value.block_id === "string" ? value.block_id : undefined;
}
