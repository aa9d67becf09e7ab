import type { Upload } from "../../src/content/values/uploads.ts";
import type { BlobStore } from "../../src/files/blob_store.ts";
import { createDownloadUrls, toStoredFile } from "../../src/files/download_urls.ts";
import { assertEquals } from "../assert.ts";

const UPLOAD: Upload = {
  id: "a",
  status: "uploaded",
  parts: null,
  filename: "a.png",
  contentType: "image/png",
  contentLength: 1,
  blob: "1",
  hash: null,
  createdTime: 0,
  createdBy: "ada",
  expiresTime: null,
  life: 1,
  sourceUrl: null,
  failure: null,
};

Deno.test("a URL is signed once for as long as it stays the same, for each workspace and file", async () => {
  const signed: string[] = [];
  const downloadUrl: BlobStore["downloadUrl"] = (workspace, { id, filename }, expires) => {
    signed.push(`${workspace} ${id} ${filename} ${expires}`);
    return Promise.resolve(`https://files/${signed.at(-1)}`);
  };
  // Sound because only URLs are asked for.
  const blobs = { downloadUrl } as BlobStore;
  let now = 0;
  const urls = createDownloadUrls({ blobs, validity: 10, now: () => now });
  const steps = [
    { workspace: "w", upload: UPLOAD, at: 0, shown: "w a a.png 10" },
    { workspace: "w", upload: UPLOAD, at: 4, shown: "w a a.png 10" },
    { workspace: "v", upload: UPLOAD, at: 4, shown: "v a a.png 10" },
    { workspace: "w", upload: { ...UPLOAD, filename: "b.png" }, at: 4, shown: "w a b.png 10" },
    { workspace: "w", upload: UPLOAD, at: 5, shown: "w a a.png 15" },
  ];
  for (const { workspace, upload, at, shown } of steps) {
    now = at;
    const found = await urls(workspace, [upload]);
    assertEquals(found.get("a")?.url, `https://files/${shown}`);
  }
  assertEquals(signed, [...new Set(steps.map(({ shown }) => shown))]);
});

Deno.test("a stored type that is no media type is not sent", () => {
  for (
    const contentType of ["text/a\x7fb", "text/a\x01b", "😀/😀", `a/${"b".repeat(60_000)}`, ""]
  ) {
    const file = toStoredFile({ ...UPLOAD, contentType });
    assertEquals(file?.contentType, "application/octet-stream", contentType.slice(0, 20));
  }
});
