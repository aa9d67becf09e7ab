import fc from "fast-check";
import {
  type ChangedPart,
  newParts,
  PageFull,
  PARTS,
  type StoredPart,
  TITLED,
  updatedParts,
} from "../../src/store/search_parts.ts";
import { linesOf } from "../../src/search/text/parts.ts";
import { assert, assertEquals, assertThrows } from "../assert.ts";

const PAGE = { pageId: "p", place: " §page " };
/** Longer than a part, so that each is one. */
const LONG = "gulls ".repeat(800);

function linesFrom(first: number, count: number, text = LONG): Map<string, string> {
  const ids = Array.from({ length: count }, (_, index) => `b${first + index}`);
  return new Map(ids.map((id) => [id, linesOf(id, [text])]));
}

/** The parts of a page with so many long blocks, the first part numbered so. */
function stored(no: number, blocks: number): StoredPart[] {
  return newParts({ ...PAGE, no, title: "Old title" }, linesFrom(0, blocks))
    .map(({ part }) => part);
}

function numbersOf(changed: readonly ChangedPart[]): number[] {
  return changed.map(({ part }) => part.no);
}

function unlessFull<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof PageFull) return undefined;
    throw error;
  }
}

Deno.test("a page has its numbers, and what needs another page's is refused as a whole", () => {
  fc.assert(fc.property(
    fc.nat(3),
    fc.integer({ min: 0, max: 20 }),
    fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 6 }),
    (page, free, additions) => {
      const first = page * PARTS;
      // Near its end, as if all before were written.
      let last: StoredPart = { ...PAGE, title: "", body: "", no: first + PARTS - 1 - free };
      let blocks = 0;
      for (const count of additions) {
        const changed = unlessFull(() => {
          return updatedParts({
            stored: [last],
            title: undefined,
            lines: linesFrom(blocks, count),
          });
        });
        if (changed === undefined) {
          // A last part that is not full yet takes one block more than there are numbers.
          assert(count > first + PARTS - 1 - last.no, `${count} blocks behind ${last.no}`);
        } else {
          const numbers = numbersOf(changed);
          const [lowest = 0] = numbers;
          assert(lowest >= last.no);
          assertEquals(numbers, numbers.map((_, index) => lowest + index));
          assert(numbers.every((no) => Math.floor(no / PARTS) === page));
          last = changed.at(-1)?.part ?? last;
        }
        blocks += count;
      }
    },
  ));
});

Deno.test("a page that is full is told of with its id and the limit, and takes edits", () => {
  const full = stored(0, PARTS);
  assertEquals(full.length, PARTS);
  const add = () => updatedParts({ stored: full, title: undefined, lines: linesFrom(PARTS, 1) });
  const error = assertThrows(add, PageFull, "4096 parts");
  assert(error.message.includes("Page p "));
  assertEquals([error.code, error.status], ["validation_error", 400]);
  const edited = updatedParts({ stored: full, title: undefined, lines: linesFrom(7, 1, "terns") });
  assertEquals(numbersOf(edited), [7]);
});

Deno.test("a new title writes the first parts of a page alone, however long it is", () => {
  const parts = stored(PARTS, 300);
  const changed = updatedParts({ stored: parts, title: "New title", lines: new Map() });
  assertEquals(changed.length, TITLED);
  assert(changed.every(({ part }) => part.title === " new title "));
  // As a release before this one kept them: in all its parts, once.
  const older = parts.map((part) => ({ ...part, title: " old title " }));
  const again = updatedParts({ stored: older, title: "New title", lines: new Map() });
  assertEquals(again.length, 300);
  assertEquals(again.filter(({ part }) => part.title === "").length, 300 - TITLED);
});
