/**
 * The section of the page that tries another rule: who would gain and lose what, and the JSON to
 * copy. The script evaluates rules as `analysis/formula.ts` does, in the browser and without a
 * request.
 *
 * @module
 */
import { callerName } from "../analysis/decisions.ts";
import type { TokenTraffic } from "../analysis/traffic.ts";
import { type Html, markup } from "./markup.ts";
import type { PageModel } from "./model.ts";

/** Renders the form. `text` is the policy file. */
export function renderEditor({ rows, tokens }: PageModel, text: string): Html {
  const names = rows.filter(({ change, decidedBy }) =>
    change?.state !== "removed" && decidedBy.length === 0
  ).map(({ name }) => name);
  return markup`<section id="what-if"><h2>What if <span class="quiet">a rule were another</span></h2>
<form class="editor" autocomplete="off" data-policy="${text}" data-tokens="${
    JSON.stringify((tokens ?? []).map(toData))
  }"${tokens === undefined ? undefined : markup` data-log`}>
<p><label for="rule-name">Call or field</label>
<select id="rule-name">${names.map((name) => markup`<option>${name}</option>`)}</select></p>
<p><label for="rule-text">Rule</label>
<textarea id="rule-text" rows="3" spellcheck="false" aria-describedby="rule-help"></textarea></p>
<p class="quiet" id="rule-help">"public", a list of scopes that are all needed, or
{"anyOf": [lists]}. The table above follows. Statements and cases are not checked here:
save the policy and run deno task policy check.</p>
<div id="rule-effect" role="status"></div>
<p class="actions"><button type="button" id="undo-rule">Undo</button>
<button type="button" id="copy-rule">Copy the rule</button>
<button type="button" id="copy-policy">Copy the whole policy</button>
<span id="copied" role="status"></span></p>
</form></section>`;
}

/** `[name, scopes, calls by route]` */
function toData(token: TokenTraffic): unknown {
  return [
    callerName(token),
    [...token.scopes],
    Object.fromEntries([...token.routes].map(([route, { calls }]) => [route, calls])),
  ];
}

export const EDITOR_SCRIPT = `
const editor = document.querySelector(".editor");
const policy = JSON.parse(editor.dataset.policy);
const loggedTokens = JSON.parse(editor.dataset.tokens).map(([client, scopes, calls]) => ({
  client,
  held: new Set(scopes.map((scope) => names.indexOf(scope))),
  calls,
}));
const [ruleName, ruleText, ruleEffect] = ["rule-name", "rule-text", "rule-effect"]
  .map((id) => document.getElementById(id));
const rowOf = new Map(rows.map((row) => [row.element.dataset.name, row]));
const triedRules = new Map();
for (const row of rows) {
  row.original = row.sets;
  row.decidedBy = JSON.parse(row.element.dataset.decidedBy);
}

function tableOf(name) {
  return name.includes(" ") ? policy.routes : policy.fields;
}

function printRule(value) {
  if (!Array.isArray(value?.anyOf)) return JSON.stringify(value).replaceAll('","', '", "');
  const lists = value.anyOf.map((list) => printRule(list));
  return '{ "anyOf": [' + lists.join(", ") + "] }";
}

const EXPECTED = 'Expected "public", a list of scopes, or {"anyOf": [lists of scopes]}';

function readRule(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return { issue: "This is not JSON. " + EXPECTED };
  }
  if (value === "public") return { value, sets: [[]] };
  const lists = Array.isArray(value) ? [value] : value?.anyOf;
  const isList = (list) =>
    Array.isArray(list) && list.length > 0 && list.every((scope) => typeof scope === "string");
  if (!Array.isArray(lists) || lists.length === 0 || !lists.every(isList)) return { issue: EXPECTED };
  const unknown = lists.flat().filter((scope) => !names.includes(scope));
  if (unknown.length > 0) return { issue: "Unknown scope: " + [...new Set(unknown)].join(", ") };
  const sets = lists.map((list) => [...new Set(list.map((scope) => names.indexOf(scope)))].sort((a, b) => a - b));
  return { value, sets: smallestSets(sets) };
}

function includesAll(large, small) {
  return small.every((scope) => large.includes(scope));
}

function smallestSets(sets) {
  return sets.filter((set, index) =>
    !sets.some((other, place) =>
      includesAll(set, other) && (other.length < set.length || place < index)
    )
  );
}

function bothOf(a, b) {
  return smallestSets(a.flatMap((set) =>
    b.map((other) => [...new Set([...set, ...other])].sort((x, y) => x - y))));
}

function aliasesOf(name) {
  return rows.filter(({ decidedBy }) => decidedBy.includes(name));
}

function showAlias(alias) {
  const targets = alias.decidedBy.map((name) => rowOf.get(name));
  alias.sets = targets.every((target) => target.sets === target.original)
    ? alias.original
    : targets.map(({ sets }) => sets).reduce((all, sets) => bothOf(all, sets));
  showRule(alias);
}

function gained(before, after) {
  return after.filter((set) => !before.some((other) => includesAll(set, other)));
}

function satisfies(held, sets) {
  return sets.some((set) => set.every((scope) => held.has(scope)));
}

function inWords(set) {
  return set.length === 0 ? "everyone" : set.map((scope) => names[scope]).join(" + ");
}

function effectLine(kind, text) {
  return Object.assign(document.createElement("p"), { className: kind, textContent: text });
}

function clientLine(name, { before, after }) {
  if (!("log" in editor.dataset)) return [];
  const affected = loggedTokens.filter(({ held }) => satisfies(held, before) !== satisfies(held, after));
  const clients = new Map();
  for (const { client, held, calls } of affected) {
    const verb = satisfies(held, after) ? " gains it" : " loses it";
    const routes = [name, ...aliasesOf(name).map(({ element }) => element.dataset.name)];
    const sum = routes.reduce((all, route) => all + (calls[route] ?? 0), clients.get(client + verb) ?? 0);
    clients.set(client + verb, sum);
  }
  const parts = [...clients].map(([text, calls]) =>
    name.includes(" ") ? text + " (" + calls + (calls === 1 ? " call)" : " calls)") : text
  );
  return [effectLine("quiet", parts.length === 0 ? "No client of the log gains or loses it" : parts.join(", "))];
}

function describeEffect(name, before, after) {
  const gains = gained(before, after);
  const losses = gained(after, before);
  if (gains.length + losses.length === 0) return [effectLine("quiet", "Decides as the policy does")];
  return [
    ...gains.map((set) => effectLine("gain", "+ " + inWords(set) + " gains it")),
    ...losses.map((set) => effectLine("loss", "− " + inWords(set) + " loses it")),
    ...clientLine(name, { before, after }),
  ];
}

function showRule(row) {
  row.element.dataset.sets = JSON.stringify(row.sets);
  row.element.classList.toggle("tried", row.sets !== row.original);
  for (const cell of row.element.querySelectorAll(".cell")) {
    const scope = Number(cell.dataset.scope);
    const letters = row.sets.flatMap((set, place) =>
      set.includes(scope) ? ["abcdefghijklmnopqrstuvwxyz"[place] ?? "…"] : []).join("");
    const mark = Object.assign(document.createElement("b"), {
      className: row.sets.length === 1 ? "dot" : "letter",
      textContent: row.sets.length === 1 ? "" : letters,
    });
    const words = Object.assign(document.createElement("span"), { className: "sr", textContent: "needed" });
    cell.replaceChildren(...(letters === "" ? [] : [mark, words]));
  }
  const rule = row.element.querySelector(".rule");
  rule.replaceChildren(...row.sets.map((set) =>
    Object.assign(document.createElement("span"), { className: "alternative", textContent: inWords(set) })));
}

function tryRule() {
  const name = ruleName.value;
  const row = rowOf.get(name);
  const { issue, value, sets } = readRule(ruleText.value);
  ruleText.setAttribute("aria-invalid", String(issue !== undefined));
  if (issue !== undefined) {
    ruleEffect.replaceChildren(effectLine("wrong", issue));
    return;
  }
  const isOld = printRule(value) === printRule(tableOf(name)[name]);
  if (isOld) triedRules.delete(name);
  else triedRules.set(name, value);
  row.sets = isOld ? row.original : sets;
  showRule(row);
  aliasesOf(name).forEach(showAlias);
  ruleEffect.replaceChildren(...describeEffect(name, row.original, row.sets));
  update();
}

function chooseRule() {
  ruleText.value = printRule(triedRules.get(ruleName.value) ?? tableOf(ruleName.value)[ruleName.value]);
  tryRule();
}

function policyWithTries() {
  const copy = structuredClone(policy);
  for (const [name, value] of triedRules) (name in copy.routes ? copy.routes : copy.fields)[name] = value;
  return JSON.stringify(copy, null, 2) + "\\n";
}

async function copyText(text) {
  const copied = document.getElementById("copied");
  try {
    await navigator.clipboard.writeText(text);
    copied.textContent = "Copied";
  } catch {
    copied.textContent = "The browser refuses to copy: select the text and copy it";
    ruleText.value = text;
    ruleText.select();
  }
}

ruleName.addEventListener("change", chooseRule);
ruleText.addEventListener("input", tryRule);
document.getElementById("undo-rule").addEventListener("click", () => {
  triedRules.delete(ruleName.value);
  chooseRule();
});
document.getElementById("copy-rule").addEventListener("click", () =>
  copyText(JSON.stringify(ruleName.value) + ": " + ruleText.value.trim()));
document.getElementById("copy-policy").addEventListener("click", () => copyText(policyWithTries()));
editor.addEventListener("submit", (event) => event.preventDefault());
chooseRule();
`;
