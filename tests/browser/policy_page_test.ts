/**
 * The policy's page in a real browser, from disk.
 *
 * @module
 */
import type { Browser, Page } from "playwright-core";
import { type CaseFile, parseCases } from "../../src/policy/analysis/cases.ts";
import { readApi } from "../../src/policy/document.ts";
import { createEngine } from "../../src/policy/engine.ts";
import { type PageOptions, renderPage } from "../../src/policy/page/render_page.ts";
import { reportChange } from "../../src/cli/policy/change_report.ts";
import { diffPolicies } from "../../src/policy/analysis/diff.ts";
import { reviewChange } from "../../src/policy/analysis/review.ts";
import { createTraffic, type TokenTraffic } from "../../src/policy/analysis/traffic.ts";
import type { ChangeReport } from "../../src/policy/report/changes.ts";
import { parsePolicy, parsePolicyFile } from "../../src/policy/schema.ts";
import axe from "axe-core";
import { logLine } from "../policy/logged.ts";
import { assert, assertEquals } from "../assert.ts";
import { launchChromium } from "./chromium.ts";
import { contrasts } from "./contrasts.js";

const root = new URL("../../", import.meta.url);
const text = await Deno.readTextFile(new URL("policy/scopes.json", root));
const policy = parsePolicy(text);
const SCOPES = [...policy.scopes.keys()];
const OPENED = '"POST /v2/pages": { "anyOf": [["pages.write", "blocks.write"], ["search.read"]] }';
const changed = text.replace('"POST /v2/pages": ["pages.write"]', OPENED);

async function optionsOf(text: string): Promise<PageOptions> {
  const document = await Deno.readTextFile(new URL("spec/openapi.json", root));
  const cases: CaseFile[] = [];
  for await (const { name } of Deno.readDir(new URL("policy/cases/", root))) {
    const file = new URL(`policy/cases/${name}`, root);
    cases.push(parseCases(await Deno.readTextFile(file), `policy/cases/${name}`));
  }
  const api = readApi(JSON.parse(document));
  const traffic = createTraffic();
  for (const one of LOG) traffic.add(one);
  const tokens = traffic.tokens();
  const base = { name: "main", policy, report: reportOf(text, { cases, tokens }) };
  return { text, file: "policy/scopes.json", api, cases, base, tokens };
}

/** The changes from the policy of the repository, for the clients of the log. */
function reportOf(
  changed: string,
  { cases, tokens }: Required<Pick<PageOptions, "cases">> & {
    readonly tokens: readonly TokenTraffic[];
  },
): ChangeReport {
  const [before, after] = [text, changed].map((one) => ({
    file: parsePolicyFile(one),
    cases,
    approvals: [],
  }));
  if (before === undefined || after === undefined) throw new Error("Two policies are compared");
  const review = reviewChange({ before, after, today: "2026-12-01" });
  const stats = { decisions: LOG.length, unreadable: [] };
  const routesShowing = () => undefined;
  return reportChange(review, { before, after, routesShowing, traffic: { tokens, stats } });
}

/** Calls of three clients: one loses, one gains, one is not concerned by the change. */
const LOG = ([
  ["ci-bot", "POST /v2/pages", ["pages.write"]],
  ["ci-bot", "POST /v2/pages", ["pages.write"]],
  ["finder", "POST /v2/search", ["search.read"]],
  ["mobile", "POST /v2/pages", ["pages.write", "blocks.write"]],
] as const).map(([client, route, scopes]) =>
  JSON.parse(logLine({ client, route, scopes: [...scopes] }))
);

interface Visit {
  readonly text?: string;
  readonly width?: number;
  readonly colorScheme?: "light" | "dark";
  readonly hash?: string;
  readonly forcedColors?: "active";
}

let browser: Browser | undefined;

/** Opens the page from disk; fails on any error in it, and on anything that it asks for. */
async function visit(options: Visit, look: (page: Page) => Promise<void>): Promise<void> {
  const file = await Deno.makeTempFile({ suffix: ".html" });
  await Deno.writeTextFile(file, renderPage(await optionsOf(options.text ?? text)));
  browser ??= await launchChromium();
  const viewport = { width: options.width ?? 1280, height: 900 };
  const page = await browser.newPage({
    viewport,
    colorScheme: options.colorScheme ?? "light",
    forcedColors: options.forcedColors ?? "none",
    // A click may miss what still scrolls.
    reducedMotion: "reduce",
  });
  const issues: string[] = [];
  page.on("pageerror", (error) => issues.push(error.message));
  page.on("console", (message) => issues.push(message.text()));
  page.on("request", (request) => {
    if (!request.url().startsWith(`file://${file}`)) issues.push(request.url());
  });
  try {
    await page.goto(`file://${file}${options.hash ?? ""}`);
    await look(page);
    assertEquals(issues, []);
  } finally {
    await page.close();
    await Deno.remove(file);
  }
}

/** Presses Tab until something has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await page.locator(`${selector}:focus`).count() > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${selector}`);
}

function testPage(name: string, options: Visit, look: (page: Page) => Promise<void>): void {
  // The browser outlives the tests that share it; the last one closes it.
  const free = { sanitizeOps: false, sanitizeResources: false };
  Deno.test({ name, ...free, fn: () => visit(options, look) });
}

/** The names of the rows that are open, as a reader sees them. */
function openCalls(page: Page): Promise<string[]> {
  return page.locator(".row.open[data-kind=call] > th").evaluateAll((rows) =>
    rows.map((row) =>
      [...row.querySelectorAll(".method, code")].map((part) => part.textContent).join(" ")
    )
  );
}

async function hold(page: Page, scopes: readonly string[]): Promise<void> {
  for (const [index, scope] of SCOPES.entries()) {
    await page.locator(`#s${index}`).setChecked(scopes.includes(scope));
  }
}

testPage("ticked scopes open the calls that the engine opens", {}, async (page) => {
  const engine = createEngine(policy);
  for (const scopes of [[], ["pages.read"], ["pages.read", "blocks.read"], SCOPES]) {
    await hold(page, scopes);
    const grant = engine.grant(new Set(scopes));
    const expected = [...policy.routes.keys()]
      .filter((route) => engine.decide(route, grant).effect === "allow");
    assertEquals((await openCalls(page)).toSorted(), expected.toSorted());
    const shown = await page.locator(".row.open[data-kind=field]").count();
    assertEquals(shown, policy.fields.size - engine.hiddenFields(grant).length);
    const sum = await page.locator("#sum").textContent();
    assert(sum?.startsWith(`opens ${expected.length} of ${policy.routes.size} calls`), sum ?? "");
  }
});

testPage("what a call lacks is added by a click, and kept in the address", {}, async (page) => {
  await hold(page, ["pages.read"]);
  const row = page.locator('.row[data-name="GET /v2/pages/:page_id/content/markdown"]');
  await row.getByRole("button", { name: "lacks blocks.read" }).click();
  assert(await row.evaluate((element) => element.classList.contains("open")));
  assert(page.url().endsWith("#pages.read+blocks.read"), page.url());
});

testPage("an address says which token to show", { hash: "#search.read" }, async (page) => {
  assert(await page.getByLabel("search.read").first().isChecked());
  assertEquals((await openCalls(page)).filter((call) => call.includes("/v2/search")).length, 2);
});

testPage("everything can be done with the keyboard alone", {}, async (page) => {
  await tabTo(page, "#s0");
  await page.keyboard.press("Space");
  assert(await page.locator("#s0").isChecked());
  await tabTo(page, "[name=show]");
  await page.keyboard.press("ArrowRight");
  assertEquals(await page.locator(".row:visible").count(), (await openCalls(page)).length);
});

testPage(
  "a change is marked on its row with who gains and who loses",
  { text: changed },
  async (page) => {
    assertEquals(await page.locator(".row.changed").count(), 1);
    const words = await page.locator(".row.changed .change").innerText();
    assertEquals(words.split("\n"), ["+ search.read gains it", "− pages.write loses it"]);
    assert(await page.getByRole("link", { name: "wider than main" }).isVisible());
    await page.getByLabel("changed").check({ force: true });
    assertEquals(await page.locator(".row:visible").count(), 1);
  },
);

testPage("broken statements and failed cases say why", { text: changed }, async (page) => {
  const statements = page.locator("#statements .wrong");
  assertEquals(await statements.allInnerTexts(), [
    "A token with search.read can call POST /v2/pages.",
  ]);
  assert(await page.locator("#cases .wrong").count() > 0);
  assert(await page.locator("#findings li").count() > 0);
});

for (const colorScheme of ["light", "dark"] as const) {
  testPage(
    `words stand out from their ground in ${colorScheme}`,
    { colorScheme, text: changed },
    async (page) => {
      const ratios: { text: string; ratio: number }[] = await page.evaluate(contrasts);
      assert(ratios.length > 100);
      assertEquals(ratios.filter(({ ratio }) => ratio < 4.5), []);
    },
  );
}

for (
  const [mode, options] of Object.entries<Visit>({
    light: {},
    dark: { colorScheme: "dark" },
    "a phone": { width: 390 },
    "a dark phone": { width: 390, colorScheme: "dark" },
    "forced colours": { forcedColors: "active" },
  })
) {
  testPage(
    `axe finds nothing on a diff in ${mode}`,
    { ...options, text: changed, hash: "#pages.read" },
    async (page) => {
      await page.evaluate(axe.source);
      const violations = await page.evaluate<unknown[]>(`axe.run({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`);
      assertEquals(violations, []);
    },
  );
}

testPage(
  "a diff shows the effects by client first, then old rules beside new ones",
  { text: changed },
  async (page) => {
    const first = page.locator(".content > section").first();
    assertEquals(await first.getAttribute("id"), "review");
    assertEquals(
      await first.locator(".sentence").innerText(),
      "This change opens 1 call for finder, closes 1 call for ci-bot (used 2 times) and drops or weakens 1 guard.",
    );
    assertEquals(await first.locator(".clients > li h4").allInnerTexts(), [
      "ci-bot 2 calls, last on 2026-01-02",
      "finder 1 call, last on 2026-01-02",
    ]);
    assertEquals(await first.locator(".clients > li li").allInnerTexts(), [
      "loses POST /v2/pages called it 2 times, last on 2026-01-02",
      "gains POST /v2/pages never called it, last seen on 2026-01-02",
    ]);
    const cells = await first.locator(".rules tbody tr").locator("th, td").allInnerTexts();
    assertEquals(cells.map((cell) => cell.replaceAll("\n", " ")), [
      "POST /v2/pages",
      "pages.write",
      "search.read or blocks.write + pages.write",
      "+ search.read gains it − pages.write loses it",
    ]);
    assert((await first.locator(".guards").innerText()).startsWith("statement broken: "));
    assertEquals(
      await first.locator(".consent").innerText(),
      "1 gain and 1 lost guard not approved",
    );
  },
);

testPage("with a log, calls and cells have their traffic", {}, async (page) => {
  const row = page.locator('.row[data-name="POST /v2/pages"]');
  assertEquals(await row.locator(".traffic").innerText(), "3 by 2 clients\nlast on 2026-01-02");
  const cell = row.locator(".cell small");
  assertEquals(await cell.getAttribute("title"), "3 calls, last on 2026-01-02");
  const none = page.locator('.row[data-name="DELETE /v2/pages/:page_id"] .traffic');
  assertEquals(await none.innerText(), "no call");
});

/** Writes a rule into the form of the page. */
async function tryRule(page: Page, name: string, rule: unknown): Promise<void> {
  await page.getByLabel("Call or field").selectOption(name);
  await page.getByLabel("Rule", { exact: true }).fill(JSON.stringify(rule));
}

/** The words of a line in alphabetical order: the page lists scopes in the order of its columns. */
function sortScopes(line: string): string {
  return line.split(" ").toSorted().join(" ");
}

testPage("a rule that is tried has the effect that diff tells, and is copied", {}, async (page) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const name = "GET /v2/pages/:page_id/content/markdown";
  const rules = [
    ["pages.read"],
    { anyOf: [["search.read"], ["blocks.read", "pages.read"], ["users.read", "search.read"]] },
    "public",
    ["blocks.read", "pages.read", "users.read"],
    ["pages.read", "blocks.read"],
  ];
  for (const rule of rules) {
    await tryRule(page, name, rule);
    const file = JSON.parse(text);
    file.routes[name] = rule;
    const tried = parsePolicy(JSON.stringify(file));
    const toWords = (set: readonly string[]) => set.length === 0 ? "everyone" : set.join(" + ");
    const [change] = diffPolicies(policy, tried);
    const lines = await page.locator("#rule-effect :is(.gain, .loss)").allInnerTexts();
    const found = lines.map(sortScopes);
    const expected = [
      ...change?.gains.map((set) => `+ ${toWords(set)} gains it`) ?? [],
      ...change?.losses.map((set) => `− ${toWords(set)} loses it`) ?? [],
    ].map(sortScopes);
    assertEquals(found.toSorted(), expected.toSorted());
    await hold(page, ["pages.read", "users.read"]);
    const engine = createEngine(tried);
    const grant = engine.grant(new Set(["pages.read", "users.read"]));
    const isOpen = engine.decide(name, grant).effect === "allow";
    assertEquals((await openCalls(page)).includes(name), isOpen, JSON.stringify(rule));
    await page.getByRole("button", { name: "Copy the whole policy" }).click();
    await page.getByText("Copied").waitFor();
    assertEquals(JSON.parse(await page.evaluate("navigator.clipboard.readText()")), file);
  }
});

testPage("what is tried names the clients, says what is wrong, and is undone", {}, async (page) => {
  await tryRule(page, "POST /v2/pages", {
    anyOf: [["pages.write", "blocks.write"], ["search.read"]],
  });
  const effect = page.locator("#rule-effect");
  assertEquals(
    (await effect.locator(".quiet").innerText()).split(", ").toSorted(),
    ["ci-bot loses it (2 calls)", "finder gains it (0 calls)"],
  );
  const row = page.locator('.row[data-name="POST /v2/pages"]');
  assertEquals(await row.locator(".cell .letter").count(), 3);
  for (
    const [rule, issue] of [
      ["{", "This is not JSON."],
      ["[]", "Expected "],
      ['["pages.raed"]', "Unknown scope: pages.raed"],
      ['{"anyOf": ["pages.read"]}', "Expected "],
      ["null", "Expected "],
    ] as const
  ) {
    await page.getByLabel("Rule", { exact: true }).fill(rule);
    assert((await effect.innerText()).startsWith(issue), rule);
    assertEquals(await page.locator("[aria-invalid=true]").count(), 1);
  }
  await page.getByRole("button", { name: "Undo" }).click();
  assertEquals(await page.getByLabel("Rule", { exact: true }).inputValue(), '["pages.write"]');
  assertEquals(await effect.innerText(), "Decides as the policy does");
  assertEquals(await page.locator(".row.tried").count(), 0);
});

testPage("aliases follow the rule that is tried", {}, async (page) => {
  await tryRule(page, "GET /v2/users/:user_id", ["pages.read"]);
  const cells = (name: string) =>
    page.locator(`.row[data-name="${name}"] .cell`).evaluateAll((all) =>
      all.flatMap((cell, index) => cell.textContent === "" ? [] : [index])
    );
  const tried = await cells("GET /v2/users/:user_id");
  assertEquals(tried, [0]);
  assertEquals(await cells("GET /v1/users/:user_id"), tried);
  await page.getByRole("button", { name: "Undo" }).click();
  assertEquals(await page.locator(".row.tried").count(), 0);
});

testPage("a rule is tried and copied with the keyboard alone", {}, async (page) => {
  await tabTo(page, "#rule-name");
  await page.keyboard.press("ArrowDown");
  await tabTo(page, "#rule-text");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type('"public"');
  assertEquals(await page.locator("#rule-effect .gain").innerText(), "+ everyone gains it");
  await tabTo(page, "#copy-rule");
});

for (const width of [360, 768, 1280]) {
  testPage(`nothing is cut off at a width of ${width}`, { width, text: changed }, async (page) => {
    const [inner, outer] = await page.evaluate<number[]>(
      "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
    );
    assertEquals(inner, outer);
    assertEquals(
      await page.locator(".row:visible").count(),
      policy.routes.size + policy.fields.size,
    );
  });
}

testPage("paper shows the rules and the cases, and no controls", {}, async (page) => {
  await page.emulateMedia({ media: "print" });
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  assert(!(await page.locator(".token").isVisible()));
  assert(!(await page.locator(".filter").isVisible()));
  assertEquals(await page.locator(".cases tr:visible").count(), 46);
  assertEquals(
    await page.locator(".row .rule:visible").count(),
    policy.routes.size + policy.fields.size,
  );
});

Deno.test({
  name: "the browser closes",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => await browser?.close(),
});
