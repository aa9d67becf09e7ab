/**
 * The API reference as HTML: a bar with a link to the policy, and the place where the reference goes.
 *
 * @module
 */
import { markup } from "../../policy/page/markup.ts";
import { cspSource } from "../../policy/page/csp_source.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

/**
 * What the page may do: run this server's scripts, and ask this server. The reference makes its style
 * elements as it runs, so styles are free; images are those that stand in them.
 */
export const DOCS_SECURITY = [
  "default-src 'none'",
  `script-src 'self' ${cspSource(SCRIPT)}`,
  "style-src 'unsafe-inline'",
  "img-src data:",
  "connect-src 'self'",
].join("; ");

/** The page; `bundle` is the address of the reference's script. */
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
<noscript><p>Scripts show <a href="/v2/openapi.json">the OpenAPI document</a> here.</p></noscript>
<script src="${bundle}"></script>
<script>${{ html: SCRIPT }}</script>
</body>
</html>
`.html;
}
