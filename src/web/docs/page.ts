/**
 * The HTML page of the API reference: a bar with a link to the policy, and the container of the
 * reference.
 *
 * @module
 */
import { markup } from "../../policy/page/markup.ts";
import { cspSource } from "../../policy/page/csp_source.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

/**
 * Content security policy: scripts of and requests to this server only. The reference creates style
 * elements at run time, so inline styles are allowed, with images as data URLs.
 */
export const DOCS_SECURITY = [
  "default-src 'none'",
  `script-src 'self' ${cspSource(SCRIPT)}`,
  "style-src 'unsafe-inline'",
  "img-src data:",
  "connect-src 'self'",
].join("; ");

/** Renders the page; `bundle` is the URL of the reference's script. */
export function renderDocs(bundle: string): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Recto API reference</title>
<link rel="icon" href="data:,">
<style>${{ html: STYLE }}</style>
</head>
<body>
<header class="bar">
<a href="/docs"><strong>Recto</strong> API reference</a>
<nav aria-label="Pages"><a href="/policy">Policy</a></nav>
</header>
<div id="reference"></div>
<noscript><p>This page needs JavaScript. You can read <a href="/v2/openapi.json">the OpenAPI document</a> instead.</p></noscript>
<script src="${bundle}"></script>
<script>${{ html: SCRIPT }}</script>
</body>
</html>
`.html;
}
