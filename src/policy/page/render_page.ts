/**
 * The policy as a self-contained page: to read, to try tokens on, to print.
 *
 * @module
 */
import { type Html, markup } from "./markup.ts";
import { renderMatrix } from "./matrix.ts";
import { createModel, type PageModel, type PageOptions } from "./model.ts";
import { EDITOR_SCRIPT, renderEditor } from "./editor.ts";
import { renderReview } from "./review_section.ts";
import { SCRIPT } from "./script.ts";
import {
  renderCases,
  renderFilter,
  renderFindings,
  renderNotices,
  renderStatements,
  renderToken,
} from "./sections.ts";
import { cspSource } from "./csp_source.ts";
import { STYLE } from "./style.ts";
import { count } from "../report/text.ts";

export type { PageOptions };

const PAGE_SCRIPT = SCRIPT + EDITOR_SCRIPT;

/** Content Security Policy: allows the page's own style and script, and no requests. */
export const PAGE_SECURITY = `default-src 'none'; style-src ${cspSource(STYLE)}; script-src ${
  cspSource(PAGE_SCRIPT)
}`;

/** The same for a page that is opened as a file, which has no header fields. */
const FILE_SECURITY = `${PAGE_SECURITY}; base-uri 'none'; form-action 'none'`;

/** Renders the page as HTML, including its style and script; throws `PolicyError`. */
export function renderPage(options: PageOptions): string {
  const model = createModel(options);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${FILE_SECURITY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Policy ${shortDigest(model)}</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<a class="skip" href="#matrix">Skip to the calls</a>
${renderHeader(model, options)}
<main>
${renderToken(model, options.held)}
<div class="content">
${renderNotices(options.notices ?? [])}
${model.diff?.report && renderReview(model.diff.report, model.diff.name)}
${renderFindings(model)}
${renderCalls(model)}
${renderEditor(model, options.text)}
<section id="statements"><h2>Statements <span class="quiet">proven over all tokens</span></h2>
${renderStatements(model)}</section>
<section id="cases"><h2>Cases <span class="quiet">${describeCoverage(model)}</span></h2>
${renderCases(model)}</section>
</div>
</main>
<script>${{ html: PAGE_SCRIPT }}</script>
</body>
</html>
`.html;
}

function renderHeader(model: PageModel, { reference }: PageOptions): Html {
  const calls = model.rows.filter(({ kind }) => kind === "call").length;
  const facts = [
    count(calls, "call"),
    count(model.scopes.length, "scope"),
    count(model.rows.length - calls, "guarded field"),
  ];
  return markup`<header>
<div><h1>Policy</h1><p class="quiet">${facts.join(" · ")} ·
<span title="SHA-256 of what the policy decides">digest <code>${
    shortDigest(model)
  }</code></span></p></div>
<nav aria-label="State">${statesOf(model).map(renderState)}${
    reference === undefined
      ? undefined
      : markup`<a class="page" href="${reference}">API reference</a>`
  }</nav>
</header>`;
}

function renderCalls(model: PageModel): Html {
  return markup`<section id="matrix">
<div class="title"><h2>Calls and fields</h2>${renderFilter(model)}</div>
${renderMatrix(model)}
<p class="legend"><span><b class="dot"></b> needed</span>
<span class="held"><b class="dot"></b> held</span>
<span><b class="letter">a</b> an alternative: the cells with the same letter are enough together</span></p>
</section>`;
}

interface State {
  readonly good: boolean;
  readonly text: string;
  readonly target: string;
}

function renderState({ good, text, target }: State): Html {
  const kind = good ? "good" : "bad";
  return markup`<a class="pill ${kind}" href="#${target}">
<i class="mark ${kind}" aria-hidden="true"></i>${text}</a>`;
}

function statesOf(model: PageModel): State[] {
  const { findings, proofs, outcomes, coverage } = model;
  const errors = findings.filter(({ level }) => level === "error").length;
  const holding = proofs.filter((one) => one.counterexamples.length === 0 && !one.idle).length;
  const passed = outcomes.filter((one) => one.passed).length;
  return [
    ...diffState(model),
    {
      good: errors === 0,
      text: findings.length === 0 ? "no finding" : count(findings.length, "finding"),
      target: findings.length === 0 ? "matrix" : "findings",
    },
    {
      good: holding === proofs.length,
      text: `${holding} of ${count(proofs.length, "statement")} hold${holding === 1 ? "s" : ""}`,
      target: "statements",
    },
    {
      good: coverage.missing.length === 0 && passed === outcomes.length,
      text: `${passed} of ${count(outcomes.length, "case")} passed`,
      target: "cases",
    },
  ];
}

function diffState({ diff }: PageModel): State[] {
  if (diff === undefined) return [];
  const text = diff.effect === "same" ? `same as ${diff.name}` : `${diff.effect} than ${diff.name}`;
  const target = diff.report === undefined ? "matrix" : "review";
  return [{ good: diff.effect !== "wider", text, target }];
}

function describeCoverage({ coverage }: PageModel): string {
  const covered = coverage.points - coverage.missing.length;
  return `${covered} of ${coverage.points} boundary points covered`;
}

function shortDigest({ digest }: PageModel): string {
  return digest.slice(0, 12);
}
