/**
 * The matrix: a row for each call and field, a column for each scope.
 *
 * @module
 */
import type { Note } from "../schema.ts";
import type { Change } from "../analysis/diff.ts";
import { type Html, markup } from "./markup.ts";
import type { MatrixRow, PageModel } from "./model.ts";
import type { RowTraffic } from "./row_traffic.ts";
import type { Usage } from "../analysis/traffic.ts";
import { dateOf, describeUsage } from "../report/clients.ts";
import { noteText } from "../report/notes.ts";
import { count } from "../report/text.ts";

/** Labels of alternatives. */
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

type Scopes = PageModel["scopes"];

/** Renders the table, grouped by resource. */
export function renderMatrix({ scopes, rows, tokens }: PageModel): Html {
  const hasTraffic = tokens !== undefined;
  const groups = [...Map.groupBy(rows, groupOf)];
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Calls and scopes">
<table class="matrix">
<thead><tr>
<td></td>
<th scope="col" class="corner">Call</th>
${scopes.map((_, index) => renderHead(scopes, index))}
<th scope="col" class="needs-head">Needs, or still lacks</th>
${hasTraffic ? markup`<th scope="col" class="traffic">Calls in the log</th>` : undefined}
</tr></thead>
${groups.map(([group, members]) => renderGroup({ group, members, scopes, hasTraffic }))}
</table></div>`;
}

function renderHead(scopes: Scopes, index: number): Html {
  const name = scopes[index]?.name;
  return markup`<th scope="col" class="scope${edgeOf(scopes, index)}" data-scope="${index}">
<label for="s${index}"><span>${name}</span></label></th>
`;
}

function renderGroup({ group, members, scopes, hasTraffic }: {
  readonly hasTraffic: boolean;
  readonly group: string;
  readonly members: readonly MatrixRow[];
  readonly scopes: Scopes;
}): Html {
  return markup`<tbody>
<tr class="group"><td></td><th scope="rowgroup">${group}</th>
${scopes.map((_, index) => renderCell(scopes, { index }))}<td></td>${
    hasTraffic ? markup`<td></td>` : undefined
  }</tr>
${members.map((row) => renderRow(row, scopes))}</tbody>
`;
}

function groupOf({ kind, name }: MatrixRow): string {
  return kind === "field" ? "response fields" : name.split("/")[2]?.replace(/\..*$/, "") ?? "";
}

/** Returns the class of the first column of a resource, which has a line to its left. */
function edgeOf(scopes: Scopes, index: number): string {
  const kindOf = (at: number): string | undefined => scopes[at]?.name.split(".")[0];
  return index > 0 && kindOf(index) !== kindOf(index - 1) ? " first" : "";
}

function renderRow(row: MatrixRow, scopes: Scopes): Html {
  const state = row.change === undefined ? "" : ` changed ${row.change.state}`;
  const title = row.kind === "call"
    ? renderCall(row)
    : markup`<code class="field">${row.name}</code>`;
  return markup`<tr class="row${state}" data-kind="${row.kind}" data-name="${row.name}" data-decided-by="${
    JSON.stringify(row.decidedBy)
  }" data-sets="${JSON.stringify(row.sets)}">
<td class="state"><i aria-hidden="true"></i><span class="sr"></span></td>
<th scope="row">${title}${row.decidedBy.map(renderAlias)}${row.note && renderNote(row.note)}${
    row.change && renderChange(row.change)
  }</th>
${scopes.map((_, index) => renderCell(scopes, { index, row }))}
<td class="needs"><div class="lacks"></div>${needsOf(row, scopes)}</td>
${row.traffic && renderTraffic(row.traffic)}</tr>
`;
}

function renderAlias(route: string): Html {
  return markup`<div class="quiet why">as ${route}</div>`;
}

function renderTraffic({ usage, denied, clients }: RowTraffic): Html {
  if (usage.calls === 0) return markup`<td class="traffic none">no call</td>`;
  const refused = denied === 0 ? "" : `, ${denied.toLocaleString("en")} denied`;
  return markup`<td class="traffic">${usage.calls.toLocaleString("en")} by ${
    count(clients, "client")
  }${refused}
<span class="quiet">last on ${dateOf(usage.last)}</span></td>`;
}

function renderNote(note: Note): Html {
  return markup`<div class="quiet why">${noteText(note)}</div>`;
}

function renderCall({ name, reads }: MatrixRow): Html {
  const [method = "", path = ""] = name.split(" ");
  const parts = path.split("/").slice(1).map((part) =>
    part.startsWith(":") ? markup`/<var>${part}</var>` : markup`/${part}`
  );
  const note = reads && method !== "GET" ? markup` <span class="note">reads</span>` : undefined;
  const weight = reads ? "" : " writes";
  return markup`<span class="method${weight}">${method}</span><code>${parts}</code>${note}`;
}

interface Cell {
  readonly index: number;
  /** Undefined for the empty cells of a group's heading. */
  readonly row?: MatrixRow;
}

function renderCell(scopes: Scopes, { index, row }: Cell): Html {
  const sets = row?.sets ?? [];
  const letters = sets.flatMap((set, place) => set.includes(index) ? [LETTERS[place] ?? "…"] : []);
  const mark = sets.length === 1
    ? markup`<b class="dot"></b>`
    : markup`<b class="letter">${letters.join("")}</b>`;
  const traffic = row?.traffic;
  // A row without calls says so once.
  const usage = traffic && traffic.usage.calls > 0
    ? traffic.scopes.get(scopes[index]?.name ?? "")
    : undefined;
  const content = letters.length === 0
    ? undefined
    : markup`${mark}<span class="sr">needed</span>${usage && renderUsage(usage)}`;
  return markup`<td class="cell${edgeOf(scopes, index)}" data-scope="${index}">${content}</td>`;
}

const COMPACT = new Intl.NumberFormat("en", { notation: "compact" });

/** Renders how often tokens with this scope made the call. */
function renderUsage(usage: Usage): Html {
  const title = describeUsage(usage);
  return markup`<small title="${title}"><span aria-hidden="true">${
    COMPACT.format(usage.calls)
  }</span><span class="sr">, ${title}</span></small>`;
}

/** Renders the rule in words, for phones, which hide the columns, and for screen readers. */
function needsOf({ kind, sets }: MatrixRow, scopes: Scopes): Html {
  if (sets.length === 0) return markup`<span class="rule">nobody</span>`;
  if (sets.some((set) => set.length === 0)) {
    return markup`<span class="rule">${kind === "call" ? "everyone" : "shown to everyone"}</span>`;
  }
  const words = sets.map((set, index) => {
    const letter = sets.length > 1 ? markup`<b class="letter">${LETTERS[index]}</b>` : undefined;
    const names = set.map((place) => scopes[place]?.name).join(" + ");
    return markup`<span class="alternative">${letter}${names}</span>`;
  });
  return markup`<span class="rule">${words}</span>`;
}

function renderChange({ gains, losses, state, kind }: Change): Html {
  const everyone = kind === "call" ? "everyone, without a token" : "everyone";
  const toText = (set: readonly string[]): string => set.length === 0 ? everyone : set.join(" + ");
  const entries = [
    ...(state === "changed" ? [] : [markup`<span class="tag">${state}</span>`]),
    ...gains.map((set) => markup`<span class="gain">+ ${toText(set)} <em>gains it</em></span>`),
    ...losses.map((set) => markup`<span class="loss">− ${toText(set)} <em>loses it</em></span>`),
  ];
  return markup`<div class="change">${entries}</div>`;
}
