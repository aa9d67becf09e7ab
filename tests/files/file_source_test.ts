/**
 * Files on other servers: every hop is checked, and failures tell nothing of the network.
 *
 * @module
 */
import { createFileSources, SourceError } from "../../src/files/file_source.ts";
import { assertEquals, assertRejects } from "../assert.ts";

const signal = new AbortController().signal;

/** Sources where each URL redirects to the next one, and the hosts that were asked. */
function redirecting(...urls: readonly string[]) {
  const asked: string[] = [];
  const sources = createFileSources({
    fetch: (url, { redirect }) => {
      assertEquals(redirect, "manual");
      asked.push(url);
      const next = urls[urls.indexOf(url) + 1];
      return Promise.resolve(
        next === undefined
          ? new Response("bytes", { headers: { "content-type": "a/b" } })
          : new Response(null, { status: 302, headers: { location: next } }),
      );
    },
    expectationOf: (url) => url.includes("10.0.0.1") ? "public" : undefined,
  });
  return { sources, asked };
}

Deno.test("a file is read behind redirects that may be followed", async () => {
  const { sources, asked } = redirecting(
    "https://a.example/",
    "https://b.example/",
    "https://c.example/",
  );
  const { contentType, chunks } = await sources.open("https://a.example/", signal);
  const bytes = await Array.fromAsync(chunks);
  assertEquals([contentType, new TextDecoder().decode(bytes[0])], ["a/b", "bytes"]);
  assertEquals(asked.length, 3);
});

Deno.test("a redirect to what is refused is not asked", async () => {
  const { sources, asked } = redirecting("https://a.example/", "https://10.0.0.1/");
  await assertRejects(() => sources.open("https://a.example/", signal), SourceError, "refused");
  assertEquals(asked, ["https://a.example/"]);
});

Deno.test("what a guard says of an address is not told", async () => {
  const sources = createFileSources({
    fetch: () => Promise.reject(new Error('"a.example" resolves to the private address 10.0.0.1')),
    expectationOf: () => undefined,
  });
  const error = await assertRejects(() => sources.open("https://a.example/", signal), SourceError);
  assertEquals([error.message, error.status], ["The URL cannot be fetched", null]);
});
