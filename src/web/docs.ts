/**
 * The API reference: an HTML page and its script.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { AppError } from "../shared/errors.ts";
import { addEncodings, toEncodable } from "../http/encoding.ts";
import type { Reply } from "../http/endpoint.ts";
import { DOCS_SECURITY, renderDocs } from "./docs/page.ts";
import { lazyPromise } from "../shared/lazy.ts";
import { createPageReply } from "./page_reply.ts";

/** The files are read on first use. */
export interface Docs {
  /** Returns the page. */
  page(): Promise<Reply>;
  /** Returns the script with this name; throws `route_not_found` for any other name. */
  script(name: string): Promise<Reply>;
}

/** Serves the reference from the gzipped bundle in this file. */
export function createDocs(file: string): Docs {
  const bundle = lazyPromise(() => readBundle(file));
  const page = lazyPromise(async () => {
    const { name } = await bundle();
    return createPageReply(renderDocs(`/docs/${name}`), DOCS_SECURITY);
  });
  return {
    page,
    script: async (requested) => {
      const { name, reply } = await bundle();
      if (requested !== name) throw new AppError("route_not_found", "No script has this name");
      return reply;
    },
  };
}

interface Bundle {
  /** Contains a hash of the bytes, so that the content under a name never changes. */
  readonly name: string;
  readonly reply: Reply;
}

async function readBundle(file: string): Promise<Bundle> {
  const zipped = await Deno.readFile(file);
  const unzipped = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
  const body = await new Response(unzipped).bytes();
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 16);
  const reply = toEncodable<Reply>({
    body,
    contentType: "text/javascript; charset=utf-8",
    cacheControl: "public, max-age=31536000, immutable",
    etag: `"${hash}"`,
  });
  addEncodings(reply, new Map([["gzip", zipped]]));
  return { name: `api-reference-${hash}.js`, reply };
}
