import { createPostgresStore } from "../../../src/store/postgres/store.ts";
import { openVectorIndex } from "../../../src/store/postgres/vectors/vector_index.ts";
import type { Store } from "../../../src/store/port.ts";
import { newPage, paragraph, succeed, text } from "../../api/driver.ts";
import { fillWorkspace, indexAll, meant, textAbout, wordsOf } from "../../api/semantic_support.ts";
import { assert, assertEquals } from "../../assert.ts";
import { type TestApp, withApp } from "../../support/app.ts";
import { openSchema } from "../../support/stores.ts";

interface Both {
  /** Asks the index, and extends it where the test says so. */
  readonly indexed: TestApp;
  /** Compares vectors in memory. */
  readonly plain: TestApp;
  /** True if the index follows what is saved. */
  follow(follows: boolean): void;
}

/** Two services on one database. */
async function withBoth(work: (both: Both) => Promise<void>): Promise<void> {
  const { connection } = await openSchema();
  const { index } = await openVectorIndex(connection, { mostScanned: 0 });
  assert(index);
  let isFollowing = true;
  const lent: Store = { ...createPostgresStore(connection), close: () => Promise.resolve() };
  const extend = (workspace: string, space: number) =>
    isFollowing ? index.extend(workspace, space) : Promise.resolve(false);
  try {
    await withApp(
      (indexed) =>
        withApp(
          (plain) => work({ indexed, plain, follow: (follows) => void (isFollowing = follows) }),
          { store: lent },
        ),
      { store: { ...lent, vectorIndex: { ...index, extend } } },
    );
  } finally {
    await connection.close();
  }
}

/** Asserts that both find the same with the same scores, and answers what. */
async function same({ indexed, plain }: Both, body: object): Promise<readonly string[]> {
  const [one, other] = await Promise.all([meant(indexed, body), meant(plain, body)]);
  assertEquals([one.results, one.search], [other.results, other.search]);
  return one.results.map(({ id }) => id);
}

Deno.test("the index and the memory answer the same, whatever changes and however far the index is", () =>
  withBoth(async (both) => {
    const { indexed, follow } = both;
    const ids = await fillWorkspace(indexed);
    const blobs = await newPage(indexed, { title: "Shelf" });
    for (let seed = 0; seed < 5; seed++) {
      await newPage(indexed, {
        parent: { page_id: blobs },
        title: "Below",
        children: [paragraph(textAbout(2, 3 + seed))],
      });
    }
    await indexAll(indexed);
    const filter = { property: "ancestor", value: blobs };
    const asked = [1, 3, 5].map((subject) => ({ query: textAbout(subject, 7) }));
    const compare = async () => {
      for (const body of [...asked, { query: textAbout(2, 4), filter }]) {
        await same(both, body);
        await same(both, { ...body, mode: "semantic" });
      }
    };
    await compare();

    follow(false);
    const [moved = "", emptied = "", trashed = ""] = ids[3] ?? [];
    for (const [page, words] of [[moved, textAbout(5, 2)], [emptied, ""]] as const) {
      const [block] = (await succeed(indexed, `GET /v2/blocks/${page}/children`)).results;
      await succeed(indexed, `PATCH /v2/blocks/${block.id}`, {
        body: { paragraph: { rich_text: text(words) } },
      });
    }
    const added = await newPage(indexed, {
      title: "New",
      children: [paragraph(wordsOf(3).join(" "))],
    });
    await succeed(indexed, `DELETE /v2/pages/${trashed}`);
    await indexAll(indexed);
    await compare();
    const found = await same(both, { query: textAbout(3, 7), mode: "semantic" });
    assert(found.includes(added), "what is newer than the index is found");
    assert(!found.includes(trashed));
    assert((await same(both, { query: textAbout(5, 7), mode: "semantic" })).includes(moved));

    follow(true);
    await succeed(indexed, `PATCH /v2/pages/${added}`, { body: { icon: { emoji: "🔎" } } });
    await indexAll(indexed);
    await compare();
  }));
