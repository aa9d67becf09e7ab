import fc from "fast-check";
import { isTargetUri } from "../../../src/auth/dpop/target_uri.ts";
import { assertEquals } from "../../assert.ts";

const ORIGIN = "https://recto.test";
const segment = fc.string({ unit: fc.constantFrom(..."aZ09-._~%:@!$&'()*+,;="), minLength: 1 })
  .filter((text) => !/^\.{1,2}$/.test(text) && !/%(?![0-9A-Fa-f]{2})/.test(text))
  .filter((text) => !/^(?:\.|%2e){1,2}$/i.test(text));
const path = fc.array(segment, { minLength: 1, maxLength: 4 })
  .map((segments) => `/${segments.join("/")}`);

Deno.test("isTargetUri() takes the URL of a path, with any query and fragment", () => {
  fc.assert(fc.property(path, (path) => {
    for (const end of ["", "?", "?a=b/c", "#", "#top", "?a#b?"]) {
      assertEquals(isTargetUri(`${ORIGIN}${path}${end}`, ORIGIN, path), true, path + end);
    }
  }));
});

Deno.test("isTargetUri() takes unreserved characters in either form", () => {
  fc.assert(fc.property(path, (path) => {
    const encoded = path.replace(
      /[A-Za-z0-9~_-]/g,
      (letter, at: number) =>
        /%.?$/.test(path.slice(Math.max(0, at - 2), at))
          ? letter
          : `%${letter.charCodeAt(0).toString(16)}`,
    );
    assertEquals(isTargetUri(`${ORIGIN}${encoded}`, ORIGIN, path), true, encoded);
  }));
});

Deno.test("isTargetUri() tells every two paths apart that differ after normalization", () => {
  const normal = (text: string) =>
    text.replace(/%[0-9a-f]{2}/gi, (escape) => {
      const letter = decodeURIComponent(/%[89a-f]/i.test(escape) ? "%00" : escape);
      return /[A-Za-z0-9\-._~]/.test(letter) ? letter : escape.toUpperCase();
    });
  fc.assert(fc.property(path, path, (one, other) => {
    if (/\/\.{1,2}(?:\/|$)/.test(normal(one) + normal(other))) return;
    assertEquals(isTargetUri(`${ORIGIN}${one}`, ORIGIN, other), normal(one) === normal(other));
  }));
});

Deno.test("isTargetUri() takes no other origin", () => {
  fc.assert(fc.property(fc.webUrl(), (url) => {
    assertEquals(isTargetUri(url, ORIGIN, new URL(url).pathname), false);
  }));
});
