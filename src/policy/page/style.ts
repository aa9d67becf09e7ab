/**
 * The page's style for screens, phones and print, light and dark.
 *
 * @module
 */

export const STYLE = `
:root {
  --paper: #fcfcfb; --sheet: #ffffff; --ink: #1d1f23; --quiet: #676b73; --line: #e6e6e3;
  --soft: #f3f3f0; --accent: #2b57c9; --wash: #eef2fd; --good: #17764a; --good-wash: #e7f4ed;
  --bad: #b3321f; --bad-wash: #fcebe8; --ring: #a9adb5;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #121315; --sheet: #18191c; --ink: #e4e4e1; --quiet: #989ba3; --line: #2a2c31;
    --soft: #1f2125; --accent: #93b1ff; --wash: #1d2438; --good: #66cf9b; --good-wash: #16291f;
    --bad: #ff9384; --bad-wash: #361d19; --ring: #5c6069;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
}
h1, h2, p, ul { margin: 0; padding: 0; }
h1 { font-size: 20px; font-weight: 650; letter-spacing: -0.01em; }
h2 { font-size: 14px; font-weight: 650; }
ul { list-style: none; }
code, var, pre { font-family: var(--mono); font-style: normal; font-size: 12.5px; }
a { color: inherit; }
.quiet { color: var(--quiet); font-weight: 400; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--sheet); padding: 0.25rem 0.5rem; z-index: 9; }

header {
  display: flex; flex-wrap: wrap; gap: 0.75rem 2rem; align-items: center; justify-content: space-between;
  padding: 1.1rem 1.75rem; border-bottom: 1px solid var(--line);
}
nav { display: flex; flex-wrap: wrap; gap: 0.4rem; }
.pill {
  display: inline-flex; align-items: center; gap: 0.4rem; padding: 0.2rem 0.65rem 0.2rem 0.5rem;
  border-radius: 99px; text-decoration: none; font-size: 12.5px;
}
.pill.good { background: var(--good-wash); color: var(--good); }
.pill.bad { background: var(--bad-wash); color: var(--bad); font-weight: 600; }
.pill:hover { text-decoration: underline; }
.page { font-size: 12.5px; padding: 0.2rem 0.4rem; }
.mark { flex: none; width: 1.05em; height: 1.05em; display: inline-block; font-style: normal; line-height: 1; text-align: center; }
.mark.good::before { content: "✓"; color: var(--good); font-weight: 700; }
.mark.bad::before { content: "✕"; color: var(--bad); font-weight: 700; }

main {
  display: grid; grid-template-columns: 17.5rem minmax(0, 1fr); gap: 0 2rem;
  padding: 1.25rem 1.75rem 3rem; max-width: 92rem;
}
.content { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2.25rem; align-content: start; }
section > h2, .title { margin-bottom: 0.6rem; }
.title { display: flex; align-items: center; justify-content: space-between; gap: 1rem; }

.token { position: sticky; top: 1.25rem; align-self: start; }
.token summary { display: block; cursor: default; list-style: none; }
.token summary::-webkit-details-marker { display: none; }
.token output { display: block; color: var(--quiet); min-height: 1.5em; }
.presets { display: flex; flex-wrap: wrap; gap: 0.3rem; margin: 0.5rem 0 0.6rem; }
button {
  font: inherit; font-size: 12px; color: var(--ink); background: var(--soft); border: 1px solid transparent;
  border-radius: 6px; padding: 0.12rem 0.5rem; min-height: 24px; cursor: pointer;
}
button:hover { border-color: var(--ring); }
.token li { display: grid; grid-template-columns: auto 1fr; gap: 0 0.55rem; padding: 0.28rem 0.4rem; border-radius: 7px; margin: 0 -0.4rem; }
.token li:hover { background: var(--soft); }
.token li:has(:checked) { background: var(--wash); }
.token input { margin: 0.2rem 0 0; width: 0.95rem; height: 0.95rem; accent-color: var(--accent); }
.token label b { display: block; font: 600 12.5px/1.4 var(--mono); }
.token label span { display: block; color: var(--quiet); font-size: 12px; line-height: 1.35; }

.filter { border: 0; margin: 0; padding: 2px; display: flex; background: var(--soft); border-radius: 8px; }
.filter label { position: relative; }
.filter input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
.filter span { display: block; padding: 0.12rem 0.7rem; border-radius: 6px; font-size: 12.5px; color: var(--quiet); }
.filter :checked + span { background: var(--sheet); color: var(--ink); box-shadow: 0 1px 2px rgb(0 0 0 / 0.14); }
.filter :focus-visible + span { outline: 2px solid var(--accent); }

.scroll { overflow-x: auto; background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; }
table { border-collapse: collapse; }
.matrix { width: 100%; }
.matrix th { text-align: left; font-weight: 400; }
.matrix thead th, .matrix thead td { vertical-align: bottom; padding-bottom: 0.45rem; border-bottom: 1px solid var(--line); }
.matrix .corner, .matrix .needs-head { font-size: 12px; color: var(--quiet); }
.matrix .needs-head { padding-left: 0.5rem; min-width: 10rem; }
.matrix .scope { width: 2.1rem; min-width: 2.1rem; padding: 0.6rem 0 0.45rem; }
.matrix .scope label { display: flex; justify-content: center; cursor: pointer; }
.matrix .scope span { writing-mode: vertical-rl; transform: rotate(180deg); font: 12px/1 var(--mono); color: var(--quiet); }
.matrix .scope:hover span { color: var(--ink); }
.matrix .scope.held span { color: var(--accent); font-weight: 650; }
.matrix .first { border-left: 1px solid var(--line); }
.matrix td.held { background: var(--wash); }
.matrix .group > * { border-bottom: 0; }
.matrix .group th { padding: 0.85rem 0.5rem 0.25rem 0; font-size: 12px; font-weight: 650; color: var(--quiet); }
.matrix tbody:last-child tr:last-child > * { padding-bottom: 0.55rem; }
.row > * { padding: 0.2rem 0.5rem; vertical-align: middle; }
.row > .cell { padding: 0; text-align: center; }
.cell small { display: block; font: 10.5px/1.1 var(--mono); color: var(--quiet); padding-bottom: 1px; }
.traffic { font-size: 12px; min-width: 8.5rem; color: var(--ink); }
.row > .traffic { padding-right: 0.9rem; }
.matrix th.traffic { font-size: 12px; color: var(--quiet); padding-left: 0.5rem; }
.traffic .quiet { display: block; font-size: 11.5px; white-space: nowrap; }
.traffic.none { color: var(--quiet); }
.row.tried > .state { box-shadow: inset 3px 0 0 var(--bad); }
.row:hover > * { background: var(--soft); }
.row th { padding-left: 0; white-space: nowrap; }
.state { width: 2rem; padding-left: 0.8rem !important; }
.state i::before { display: inline-block; width: 1em; text-align: center; font-style: normal; content: ""; }
.open .state i::before { content: "✓"; color: var(--good); font-weight: 700; }
.closed .state i::before { content: "·"; color: var(--ring); font-weight: 700; }
.ready .closed th code { color: var(--quiet); }
.method { display: inline-block; width: 3.9rem; font: 11px/1 var(--mono); color: var(--quiet); letter-spacing: 0.02em; }
.method.writes { color: var(--ink); font-weight: 700; }
th var { color: var(--quiet); }
th .field { margin-left: 3.9rem; }
.note, .tag { font-size: 11px; color: var(--quiet); border: 1px solid var(--line); border-radius: 4px; padding: 0 0.3rem; margin-left: 0.4rem; }
.tag { margin-left: 0; }
.dot { display: inline-block; width: 0.72rem; height: 0.72rem; border-radius: 50%; border: 1.6px solid var(--ring); vertical-align: -1px; }
.letter { display: inline-block; min-width: 1.15rem; padding: 0 0.2rem; border: 1.4px solid var(--ring); border-radius: 5px; font: 600 11px/1.2rem var(--mono); text-align: center; color: var(--quiet); letter-spacing: 0.15em; text-indent: 0.15em; }
.held .dot { background: var(--accent); border-color: var(--accent); }
.held .letter { background: var(--accent); border-color: var(--accent); color: var(--sheet); }
.needs { color: var(--quiet); font-size: 12.5px; width: 99%; }
th .why { margin-left: 3.9rem; font-size: 12px; white-space: normal; }
.needs .alternative { display: block; font-family: var(--mono); font-size: 12px; }
.needs .alternative .letter { margin-right: 0.4rem; border: 0; min-width: 0; padding: 0; }
.ready .closed .lacks:not(:empty) + .rule { display: none; }
.lacks button { display: block; width: fit-content; min-height: 24px; font: 12px/1.5 var(--mono); padding: 0 0.35rem; margin-left: -0.4rem; text-align: left; background: none; color: var(--ink); }
.lacks button:hover, .lacks button:focus-visible { background: var(--sheet); border-color: var(--ring); color: var(--accent); }
.lacks .letter { border: 0; min-width: 0; padding: 0; margin-right: 0.4rem; }
.changed > .state { box-shadow: inset 3px 0 0 var(--accent); }
.change { padding: 0.1rem 0 0.2rem 3.9rem; font-size: 12px; display: grid; gap: 0.1rem; justify-items: start; }
.gain em, .loss em { font-style: normal; }
.gain { background: var(--bad-wash); color: var(--bad); border-radius: 4px; padding: 0 0.4rem; }
.loss { background: var(--good-wash); color: var(--good); border-radius: 4px; padding: 0 0.4rem; }
.removed th code { text-decoration: line-through; }
[data-show="open"] .row.closed, [data-show="closed"] .row.open, [data-show="changed"] .row:not(.changed) { display: none; }
.matrix tbody:not(:has(.row)) { display: none; }
[data-show="open"] tbody:not(:has(.row.open)), [data-show="closed"] tbody:not(:has(.row.closed)), [data-show="changed"] tbody:not(:has(.row.changed)) { display: none; }
.legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; margin-top: 0.6rem; color: var(--quiet); font-size: 12px; }

.entries { display: grid; gap: 0.75rem; }
.entries:empty { display: none; }
.entries li { display: grid; grid-template-columns: 1.3rem minmax(0, 1fr); align-items: baseline; }
.entries b { display: block; font-weight: 600; }
.entries span { display: block; }
.wrong { color: var(--bad); }
pre { margin: 0.3rem 0 0; padding: 0.35rem 0.6rem; background: var(--soft); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
h3 { font-size: 13px; font-weight: 650; margin: 1rem 0 0.4rem; }
h4 { font: 600 12.5px/1.4 var(--mono); margin: 0; overflow-wrap: anywhere; }
h4 .quiet { font: 400 12.5px/1.4 system-ui, sans-serif; }
#review { border: 1px solid var(--line); border-left: 3px solid var(--accent); border-radius: 10px; background: var(--sheet); padding: 0.9rem 1.1rem 1.1rem; }
.sentence { font-size: 16px; font-weight: 600; max-width: 60rem; }
.clients { display: grid; gap: 0.7rem; }
.clients ul { display: grid; gap: 0.25rem; margin-top: 0.2rem; }
.clients ul li { overflow-wrap: anywhere; }
#review .gain, #review .loss { display: inline-block; }
.rules { width: 100%; }
.rules th, .rules td { text-align: left; vertical-align: top; padding: 0.35rem 1rem 0.35rem 0; border-top: 1px solid var(--line); font-weight: 400; overflow-wrap: anywhere; }
.rules thead th { border-top: 0; font-size: 12px; color: var(--quiet); }
.rules .alternative { display: block; }
#review .rules .gain, #review .rules .loss { display: block; width: fit-content; margin-bottom: 0.2rem; font-size: 12.5px; }
.guards { display: grid; gap: 0.25rem; }
.guards li { overflow-wrap: anywhere; }
.consent { margin-top: 0.6rem; font-weight: 600; }
.editor { display: grid; gap: 0.6rem; max-width: 60rem; }
.editor label { display: block; font-size: 12px; color: var(--quiet); margin-bottom: 0.2rem; }
.editor select, .editor textarea { width: 100%; font: 12.5px/1.5 var(--mono); color: var(--ink); background: var(--sheet); border: 1px solid var(--ring); border-radius: 6px; padding: 0.4rem 0.5rem; min-height: 2rem; }
.editor textarea { resize: vertical; }
.editor [aria-invalid="true"] { border-color: var(--bad); }
#rule-effect { display: grid; gap: 0.25rem; justify-items: start; min-height: 1.5em; font-size: 12.5px; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.files { margin-top: 0.4rem; border-top: 1px solid var(--line); }
.files details { border-bottom: 1px solid var(--line); }
.files summary { padding: 0.4rem 0; cursor: pointer; }
.cases { margin: 0 0 0.7rem 1rem; }
.cases td { padding: 0.12rem 1.2rem 0.12rem 0; vertical-align: baseline; font-size: 12.5px; }
.cases td:last-child { color: var(--quiet); }

@media screen and (max-width: 56rem) {
  header, main { padding-left: 1rem; padding-right: 1rem; }
  main { display: block; padding-top: 0; }
  .token { position: sticky; top: 0; z-index: 3; background: var(--paper); margin: 0 -1rem 1rem; padding: 0.6rem 1rem; border-bottom: 1px solid var(--line); max-height: 70vh; overflow-y: auto; }
  .token summary { display: flex; justify-content: space-between; gap: 1rem; cursor: pointer; align-items: baseline; }
  .token summary h2::before { content: "▸ "; color: var(--quiet); }
  .token [open] > summary h2::before { content: "▾ "; }
  .token output { font-size: 12.5px; text-align: right; }
  .token li { padding: 0.45rem 0.4rem; }
  .title { flex-wrap: wrap; }
  .filter span { padding: 0.3rem 0.8rem; }
  .matrix thead, .row > .cell { display: none; }
  .scroll { overflow-x: visible; }
  .row { display: grid; grid-template-columns: 2rem minmax(0, 1fr); padding: 0.4rem 0.6rem 0.4rem 0; border-top: 1px solid var(--line); }
  .group + .row { border-top: 0; }
  .row:hover > * { background: none; }
  .row th { white-space: normal; overflow-wrap: anywhere; padding: 0; }
  .row > .state { grid-row: span 2; padding-top: 0; }
  .row > .needs { grid-column: 2; padding: 0; width: auto; }
  .needs .alternative { white-space: normal; overflow-wrap: anywhere; }
  .lacks button { padding: 0.25rem 0.6rem; margin: 0.25rem 0 0; border-color: var(--line); white-space: normal; overflow-wrap: anywhere; }
  .lacks button::before { content: "lacks " / ""; font-family: system-ui, sans-serif; color: var(--quiet); }
  .lacks button + button::before { content: "or lacks " / ""; }
  .row > .traffic { grid-column: 2; padding: 0; white-space: normal; }
  .row > .traffic.none { display: none; }
  .row > .traffic::before { content: "log: "; color: var(--quiet); }
  .traffic .quiet { display: inline; }
  .rules thead { display: none; }
  .rules tr { display: grid; padding: 0.5rem 0; border-top: 1px solid var(--line); }
  .rules th, .rules td { border: 0; padding: 0.1rem 0; }
  .rules td { display: grid; grid-template-columns: 6rem minmax(0, 1fr); justify-items: start; }
  .rules td::before { content: attr(data-label); color: var(--quiet); font-size: 12px; grid-row: span 9; }
  .group { display: block; padding-left: 0.8rem; }
  .group td { display: none; }
  .token summary h2 { white-space: nowrap; }
  .legend { display: none; }
  .method { width: auto; margin-right: 0.6rem; }
  th .field, th .why, .change { margin-left: 0; padding-left: 0; }
  .cases { margin-left: 0; }
  .cases tr { display: grid; grid-template-columns: 1.3rem 1fr; padding: 0.25rem 0; }
  .cases td { grid-column: 2; padding: 0; overflow-wrap: anywhere; }
  .cases td:first-child { grid-column: 1; grid-row: span 3; }
}
@media print {
  :root { --paper: #fff; --sheet: #fff; --ink: #000; --quiet: #444; --line: #bbb; --soft: #fff; --wash: #fff; --ring: #000; --good: #06492b; --bad: #8a1200; --good-wash: #fff; --bad-wash: #fff; --accent: #000; }
  @page { size: A4 landscape; margin: 12mm; }
  body { font-size: 10px; }
  h2, .filter span, .pill { font-size: 11px; }
  code, var, pre, .matrix .scope span, .needs, .needs .alternative, .cases td { font-size: 9.5px; }
  pre { padding: 0; }
  .files { columns: 2; column-gap: 2rem; }
  .token, .filter, .state i, .lacks, .skip, .page, #what-if { display: none; }
  .ready .closed .lacks:not(:empty) + .rule { display: inline; }
  .ready .closed th code { color: inherit; }
  main { display: block; padding: 0.5rem 0 0; }
  header { padding: 0 0 0.5rem; }
  .pill { border: 1px solid var(--line); }
  .scroll { border: 0; overflow: visible; }
  .matrix td.held { background: none; }
  .dot { background: #000; print-color-adjust: exact; }
  .held .letter { background: none; color: inherit; border-color: var(--ring); }
  .legend .held { display: none; }
  tr, li { break-inside: avoid; }
  section { margin-bottom: 1rem; }
  .gain, .loss { border: 1px solid; padding: 0 0.3rem; }
  .row > * { padding-top: 0.05rem; padding-bottom: 0.05rem; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;
