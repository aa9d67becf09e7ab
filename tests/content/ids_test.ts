import fc from "fast-check";
import * as v from "valibot";
import { idInput, idOutput, normalizeId } from "../../src/content/values/ids.ts";
import { assert, assertEquals } from "../assert.ts";
import { anyId } from "./arbitraries.ts";

Deno.test("normalizeId() converts all spellings of a UUID to one", () => {
  fc.assert(fc.property(fc.uuid(), (id) => {
    const undashed = id.replaceAll("-", "");
    for (const spelling of [id, undashed, id.toUpperCase(), undashed.toUpperCase()]) {
      assert(v.is(idInput, spelling));
      assertEquals(normalizeId(spelling), id);
    }
  }));
});

Deno.test("normalizeId() is idempotent and returns what idOutput accepts", () => {
  fc.assert(fc.property(anyId, (spelling) => {
    const id = normalizeId(spelling);
    assertEquals(normalizeId(id), id);
    assert(v.is(idOutput, id));
  }));
});

Deno.test("idInput rejects texts that are not UUIDs", () => {
  const id = "0123456789abcdef0123456789abcdef";
  const wrong = ["", "me", id.slice(1), `${id}0`, `${id}\n`, `{${id}}`, `g${id.slice(1)}`];
  wrong.push(`0123-4567${id.slice(8)}`, `01234567-${id.slice(8)}`);
  for (const text of wrong) assert(!v.is(idInput, text), text);
});
