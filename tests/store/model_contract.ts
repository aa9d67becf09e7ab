/**
 * Applies random commits to a store and to a simple model; both must return the same.
 *
 * @module
 */
import fc from "fast-check";
import type { Content, Node } from "../../src/content/schema/node.ts";
import type { SiblingPosition, Store } from "../../src/store/port.ts";
import { assertEquals } from "../assert.ts";
import type { OpenStore } from "./contract_support.ts";
import { createModel, type Model, toDoc, type TreeChange } from "./model.ts";
import { page } from "./samples.ts";

const WORKSPACES = ["one", "two"] as const;
const IDS = ["a", "b", "c", "d", "e"] as const;
const PARENTS = [null, ...IDS] as const;
const PLACES: readonly SiblingPosition[] = ["start", "end", ...IDS.map((after) => ({ after }))];

interface Draft {
  readonly op: TreeChange["op"];
  readonly id: string;
  /** Offset from the right version; usually 0, so that most changes succeed. */
  readonly staleness: number;
  readonly kind: Node["kind"];
  readonly parentId: string | null;
  readonly position: string;
  readonly time: number;
}

const draft: fc.Arbitrary<Draft> = fc.record({
  op: fc.constantFrom(
    ...["insert", "insert", "update", "trash", "restore", "touch"] as const,
    ...["expect", "expectRows", "expectChildless"] as const,
  ),
  id: fc.constantFrom(...IDS),
  staleness: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, -1),
  kind: fc.constantFrom("page", "database", "block"),
  parentId: fc.constantFrom(...PARENTS),
  position: fc.constantFrom("Zz", "a0", "a0V", "a1", "b00"),
  time: fc.nat({ max: 9_000 }),
});

/** Changes of one commit, as they are drawn. */
export interface DraftCommit {
  readonly workspace: string;
  readonly drafts: readonly Draft[];
}

export const commit: fc.Arbitrary<DraftCommit> = fc.record({
  workspace: fc.constantFrom(...WORKSPACES),
  drafts: fc.array(draft, { minLength: 1, maxLength: 4 }),
});

/** Registers the comparison for one adapter. */
export function modelContract(name: string, open: OpenStore): void {
  Deno.test(`${name}: commit() does to the tree what the obvious store does`, async () => {
    const commits = fc.array(commit, { minLength: 10, maxLength: 25 });
    const property = fc.asyncProperty(commits, async (all) => {
      const store = await open();
      const model = createModel();
      try {
        for (const { workspace, drafts } of all) {
          const changes = toChanges(model, { workspace, drafts });
          const outcome = model.commit(workspace, changes);
          assertEquals(await store.commit(workspace, changes), outcome);
          await assertSame(store, model);
        }
      } finally {
        await store.close();
      }
    });
    await fc.assert(property, { numRuns: 60 });
  });
}

/** Returns changes most of which succeed on what the model holds. */
export function toChanges(model: Model, { workspace, drafts }: DraftCommit): TreeChange[] {
  const changes: TreeChange[] = [];
  for (const draft of drafts) {
    const found = (id: string) => insertedIn(changes, id) ?? model.node(workspace, id);
    changes.push(toChange(found, draft));
  }
  return changes;
}

/** Returns the node that this commit inserts. */
function insertedIn(changes: readonly TreeChange[], id: string): Node | undefined {
  const insert = changes.find((change) => change.op === "insert" && change.node.id === id);
  return insert?.op === "insert" ? insert.node : undefined;
}

function toChange(found: (id: string) => Node | undefined, draft: Draft): TreeChange {
  const { op, id, parentId, time } = draft;
  const edit = { time, by: `editor ${time % 3}` };
  const version = (found(id)?.version ?? 1) + draft.staleness;
  if (op === "touch") return { op, id, edit };
  if (op === "expect") return { op, id, version, ...(time % 2 === 0 && { mayBeTrashed: true }) };
  if (op === "expectChildless") return { op, id };
  if (op === "expectRows") {
    const databaseId = draft.staleness === 0 ? found(id)?.parentId : parentId;
    return { op, databaseId: databaseId ?? "nowhere", ids: [id] };
  }
  if (op === "update") {
    return {
      op,
      id,
      version,
      title: `t${time}`,
      doc: `${time}`,
      hasMentions: time % 2 === 0,
      edit,
    };
  }
  if (op !== "insert") return { op, id, version, edit };
  const { kind, position } = draft;
  const parent = parentId === null ? undefined : found(parentId);
  const place = {
    parentId,
    parentKind: parentId === null ? "workspace" : parent?.kind ?? "page",
    containerId: parent?.kind === "block" ? parent.containerId : parentId,
  } as const;
  const hasMentions = time % 2 === 0;
  return { op, node: page(id, { kind, position, ...place, hasMentions, createdTime: time }) };
}

/** Asserts that a store holds what the model holds. */
export async function assertSame(store: Store, model: Model): Promise<void> {
  await Promise.all(WORKSPACES.flatMap((workspace) => [
    ...IDS.map((id) => assertSameNode(store, model, { workspace, id })),
    ...PARENTS.flatMap((parent) =>
      PLACES.map(async (place) => {
        const gap = await store.gap(workspace, parent, place);
        assertEquals(gap, model.gap(workspace, parent, place));
      })
    ),
  ]));
}

async function assertSameNode(
  store: Store,
  model: Model,
  { workspace, id }: { readonly workspace: string; readonly id: string },
): Promise<void> {
  const content = model.content(workspace, id);
  const mentioning = content?.nodes.filter(({ hasMentions }) => hasMentions) ?? [];
  const ids = mentioning.map((node) => node.id);
  const docs = ids.flatMap((id) => model.node(workspace, id) ?? []).map(toDoc);
  const found = await Promise.all([
    store.node(workspace, id),
    store.children(workspace, id, { limit: 99 }),
    store.content(workspace, id).then(sorted),
    store.mentioning(workspace, id).then((found) => found?.sort()),
    store.docs(workspace, ids).then(byId),
  ]);
  assertEquals(found, [
    model.node(workspace, id),
    model.children(workspace, id),
    sorted(content),
    ids.toSorted(),
    byId(docs),
  ]);
}

function sorted(content: Content | undefined): Content | undefined {
  return content && { ...content, nodes: byId(content.nodes) };
}

function byId<T extends { readonly id: string }>(nodes: readonly T[]): T[] {
  return nodes.toSorted((a, b) => a.id < b.id ? -1 : 1);
}
