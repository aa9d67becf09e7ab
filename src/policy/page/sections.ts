/**
 * The sections around the matrix: token, statements, cases and findings.
 *
 * @module
 */
import type { CaseResult } from "../analysis/cases.ts";
import { caseOf } from "../analysis/coverage.ts";
import type { Finding } from "../lint/finding.ts";
import type { Proof } from "../analysis/invariants.ts";
import { inWords } from "../lint/names.ts";
import { sentenceOf } from "../report/invariant.ts";
import { titleOf } from "../report/outcomes.ts";
import { count, windowOf } from "../report/text.ts";
import { type Html, markup } from "./markup.ts";
import type { PageModel } from "./model.ts";

/** Preset tokens, and the ending of their scopes. */
const PRESETS: readonly (readonly [name: string, ending: string])[] = [
  ["none", ""],
  ["all", "*"],
  ["every .read", ".read"],
  ["every .write", ".write"],
];

/** Renders a checkbox for each scope, and what a token with the ticked ones opens. */
export function renderToken({ scopes }: PageModel, held: ReadonlySet<string> = new Set()): Html {
  const boxes = scopes.map(({ name, description }, index) =>
    markup`<li><input type="checkbox" id="s${index}" value="${name}">
<label for="s${index}"><b>${name}</b><span>${description}</span></label></li>
`
  );
  const presets = PRESETS.map(([name, ending]) =>
    markup`<button type="button" data-preset="${ending}">${name}</button>`
  );
  return markup`<form class="token" autocomplete="off" data-held="${
    [...held].join(" ")
  }"><details open>
<summary><h2>Try a token</h2><output id="sum"></output></summary>
<div class="presets">${presets}</div>
<ul>${boxes}</ul>
</details></form>`;
}

/** Renders the choice of the rows to show. */
export function renderFilter({ diff }: PageModel): Html {
  const choices = ["all", "open", "closed", ...(diff === undefined ? [] : ["changed"])];
  const radios = choices.map((choice) => {
    const checked = choice === "all" ? markup` checked` : undefined;
    return markup`<label><input type="radio" name="show" value="${choice}"${checked}>
<span>${choice}</span></label>`;
  });
  return markup`<fieldset class="filter"><legend class="sr">Show</legend>${radios}</fieldset>`;
}

/** Renders what readers must know before they read anything else. */
export function renderNotices(notices: readonly string[]): Html | undefined {
  if (notices.length === 0) return undefined;
  const items = notices.map((text) => renderEntry({ good: false, title: markup`${text}` }));
  return markup`<section id="notices"><h2>Notices</h2>
<ul class="entries">${items}</ul></section>`;
}

/** Renders every statement and, if it is false, the token that refutes it. */
export function renderStatements({ proofs }: PageModel): Html {
  if (proofs.length === 0) return markup`<p class="quiet">The policy has no statements.</p>`;
  return markup`<ul class="entries">${proofs.map(renderProof)}</ul>`;
}

function renderProof({ invariant, counterexamples: [first], idle }: Proof): Html {
  const reason = first === undefined
    ? idle ? "It matches no token, or no call and no field." : undefined
    : `A token with ${inWords(first.scopes)} ${first.effect} ${first.target}.`;
  return renderEntry({
    good: reason === undefined,
    title: markup`<b>${invariant.name}</b>`,
    quiet: sentenceOf(invariant),
    wrong: reason,
  });
}

/** Renders all cases by file, after the failed and the missing ones. */
export function renderCases({ outcomes, coverage, normal }: PageModel): Html {
  const uncovered = coverage.missing.map((point) => {
    const one = caseOf(point, normal);
    const title = markup`<code>${titleOf(one)}</code>`;
    return renderEntry({ good: false, title, wrong: `${one.effect}, but no case covers this` });
  });
  const failed = outcomes.filter(({ passed }) => !passed).map(renderFailure);
  const files = [...Map.groupBy(outcomes, ({ file }) => file.replace(/^.*\/|\.json$/g, ""))];
  const tables = files.map(([name, own]) =>
    markup`<details><summary>${name} <span class="quiet">${
      count(own.length, "case")
    }</span></summary>
<table class="cases"><tbody>${own.map(renderCase)}</tbody></table></details>
`
  );
  return markup`<ul class="entries">${failed}${uncovered}</ul>
<div class="files">${tables}</div>`;
}

function renderFailure({ case: one, got }: CaseResult): Html {
  const effect = got.allowed
    ? "allows it"
    : `refuses it, missing ${got.missing.map(inWords).join(", or ")}`;
  return renderEntry({
    good: false,
    title: markup`<code>${titleOf(one)}</code>`,
    wrong: `Expected ${one.effect}; the policy ${effect}`,
  });
}

function renderCase({ case: one, passed }: CaseResult): Html {
  const target = "call" in one ? one.call : one.field;
  const token = titleOf(one).slice(target.length + 2);
  return markup`<tr><td>${
    renderMark(passed)
  }</td><td><code>${target}</code></td><td>${token}</td><td>${one.effect}</td></tr>
`;
}

/** Renders the findings of `check`, each with its source line. */
export function renderFindings({ findings }: PageModel): Html | undefined {
  if (findings.length === 0) return undefined;
  return markup`<section id="findings"><h2>Findings</h2>
<ul class="entries">${findings.map(renderFinding)}</ul></section>`;
}

function renderFinding({ level, code, message, hint, file, span, excerpt }: Finding): Html {
  const place = `${file}:${span.line}:${span.column}`;
  return renderEntry({
    good: level !== "error",
    title: markup`<b>${message}</b>`,
    quiet: [place, code, ...(hint === undefined ? [] : [hint])].join(" · "),
    more: markup`<pre>${windowOf(excerpt, span).text.trim()}</pre>`,
  });
}

interface Entry {
  readonly good: boolean;
  readonly title: Html;
  readonly quiet?: string;
  readonly wrong?: string | undefined;
  readonly more?: Html;
}

function renderEntry({ good, title, quiet, wrong, more }: Entry): Html {
  const lines = [
    ...(quiet === undefined ? [] : [markup`<span class="quiet">${quiet}</span>`]),
    ...(wrong === undefined ? [] : [markup`<span class="wrong">${wrong}</span>`]),
  ];
  return markup`<li>${renderMark(good)}<div>${title}${lines}${more}</div></li>
`;
}

function renderMark(good: boolean): Html {
  return good
    ? markup`<i class="mark good" role="img" aria-label="holds"></i>`
    : markup`<i class="mark bad" role="img" aria-label="does not hold"></i>`;
}
