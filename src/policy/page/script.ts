/**
 * The page's script, which shows what a token with the ticked scopes opens. It makes no requests.
 *
 * @module
 */

export const SCRIPT = `"use strict";
const boxes = [...document.querySelectorAll(".token input")];
const names = boxes.map((box) => box.value);
const cells = [...document.querySelectorAll(".matrix [data-scope]")];
const rows = [...document.querySelectorAll(".row")].map((element) => ({
  element,
  kind: element.dataset.kind,
  sets: JSON.parse(element.dataset.sets),
  state: element.querySelector(".state .sr"),
  lacks: element.querySelector(".lacks"),
}));

function lackingOf(sets, held) {
  const lists = sets.map((set, place) => ({
    scopes: set.filter((scope) => !held.has(scope)),
    letter: sets.length > 1 ? "abcdefghijklmnopqrstuvwxyz"[place] : "",
  }));
  return lists.filter(({ scopes }, index) =>
    !lists.some((other, place) =>
      other.scopes.every((scope) => scopes.includes(scope)) &&
      (other.scopes.length < scopes.length || place < index)
    )
  );
}

function showRow(row, held) {
  const open = row.sets.some((set) => set.every((scope) => held.has(scope)));
  row.element.classList.toggle("open", open);
  row.element.classList.toggle("closed", !open);
  const words = row.kind === "call" ? ["open", "closed"] : ["shown", "hidden"];
  row.state.textContent = open ? words[0] : words[1];
  row.lacks.replaceChildren(...(open ? [] : lackingOf(row.sets, held).map(createAdd)));
  return open;
}

function createAdd({ scopes, letter }) {
  const text = scopes.map((scope) => names[scope]).join(" + ");
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    title: "Add " + text + " to the token",
  });
  const mark = Object.assign(document.createElement("b"), {
    className: "letter",
    textContent: letter,
    ariaHidden: "true",
  });
  const unseen = (words) =>
    Object.assign(document.createElement("span"), { className: "sr", textContent: words });
  button.append(unseen("lacks "), ...(letter ? [mark] : []), text, unseen(": add to the token"));
  button.addEventListener("click", () => add(scopes, button.closest("tr")));
  return button;
}

function add(scopes, row) {
  for (const scope of scopes) boxes[scope].checked = true;
  update();
  const next = [...document.querySelectorAll(".lacks button")].find((button) =>
    row.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING
  );
  (next ?? boxes[scopes[0]]).focus({ preventScroll: true });
}

function update() {
  const held = new Set(boxes.flatMap((box, index) => (box.checked ? [index] : [])));
  for (const cell of cells) cell.classList.toggle("held", held.has(Number(cell.dataset.scope)));
  const open = rows.filter((row) => showRow(row, held));
  const calls = rows.filter((row) => row.kind === "call");
  const hidden = rows.length - calls.length - open.filter((row) => row.kind === "field").length;
  const opened = open.filter((row) => row.kind === "call").length;
  document.getElementById("sum").textContent = "opens " + opened + " of " + calls.length +
    " calls" + (hidden > 0 ? ", hides " + hidden + (hidden > 1 ? " fields" : " field") : "");
  remember(held);
}

function remember(held) {
  const hash = [...held].map((scope) => names[scope]).join("+");
  try {
    history.replaceState(null, "", "#" + hash);
  } catch {
    // A browser may refuse this for a file; the URL then stays as it is.
  }
}

function choose(test) {
  for (const box of boxes) box.checked = test(box.value);
  update();
}

for (const box of boxes) box.addEventListener("change", update);
for (const button of document.querySelectorAll("[data-preset]")) {
  const preset = button.dataset.preset;
  button.addEventListener("click", () =>
    choose((name) => preset === "*" || (preset !== "" && name.endsWith(preset))));
}
for (const radio of document.querySelectorAll("[name=show]")) {
  radio.addEventListener("change", () => {
    document.querySelector(".matrix").dataset.show = radio.value;
  });
}
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const part of folded) part.open = true;
});
addEventListener("afterprint", () => {
  for (const part of folded) part.open = false;
});
if (matchMedia("(max-width: 56rem)").matches) document.querySelector(".token details").open = false;
const ticked = document.querySelector(".token").dataset.held;
const wanted = new Set(
  location.hash.length > 1 ? decodeURIComponent(location.hash.slice(1)).split("+") : ticked.split(" "),
);
choose((name) => wanted.has(name));
document.documentElement.classList.add("ready");
`;
