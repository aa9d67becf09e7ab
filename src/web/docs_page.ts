/**
 * The API reference as a page for people: `@scalar/api-reference` over this server's own document,
 * with nothing that another host would have to send.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { withEncodings } from "../http/encoding.ts";
import type { Reply } from "../http/endpoint.ts";
import { SCRIPT } from "./docs_script.ts";

/** Where the browser's bundle comes from, and where it is kept; `deno task assets` fetches it. */
export const BUNDLE = {
  package: "@scalar/api-reference",
  version: "1.72.1",
  entry: "dist/browser/standalone.js",
  file: "assets/api-reference.js.gz",
} as const;

/** The path changes with the version, so that a browser asks for each one once. */
export const BUNDLE_PATH = `/docs/api-reference-${BUNDLE.version}.js`;

/** The two answers of the page. */
export interface DocsPage {
  readonly page: Reply;
  /** The bundle, read when it is first asked for. */
  readonly bundle: () => Promise<Reply>;
}

/** Makes the page; `readBundle` gives the bundle as gzip. */
export function createDocsPage(readBundle: () => Promise<Uint8Array<ArrayBuffer>>): DocsPage {
  let bundle: Promise<Reply> | undefined;
  return {
    page: {
      body: PAGE,
      contentType: "text/html; charset=utf-8",
      contentSecurityPolicy: SECURITY,
      cacheControl: "no-cache",
      etag: "hash",
      constant: true,
    },
    bundle: () =>
      bundle ??= readBundle().then(toReply).catch((error) => {
        bundle = undefined;
        throw error;
      }),
  };
}

function toReply(gzip: Uint8Array<ArrayBuffer>): Reply {
  const reply = {
    body: Uint8Array.from(gunzipSync(gzip)),
    contentType: "text/javascript; charset=utf-8",
    cacheControl: "public, max-age=31536000, immutable",
    etag: `"${createHash("sha256").update(gzip).digest("base64url")}"`,
    constant: true,
  };
  return withEncodings(reply, new Map([["gzip", gzip]]));
}

/** What the page may do: run its own scripts and ask this server; its components bring styles along. */
const SECURITY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash("sha256").update(SCRIPT).digest("base64")}'`,
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Recto API</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript; <a href="/v2/openapi.json">the document</a> itself does not.</noscript>
<script src="${BUNDLE_PATH}"></script>
<script>${SCRIPT}</script>
</body>
</html>
`;
