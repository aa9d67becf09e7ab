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
import { parsePolicy } from "../../src/policy/schema.ts";
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
  const base = { name: "main", policy };
  return { text, file: "policy/scopes.json", api: readApi(JSON.parse(document)), cases, base };
}

interface Visit {
  readonly text?: string;
  readonly width?: number;
  readonly colorScheme?: "light" | "dark";
  readonly hash?: string;
}

let browser: Browser | undefined;

/** Opens the page from disk; fails on any error in it, and on anything that it asks for. */
async function visit(options: Visit, look: (page: Page) => Promise<void>): Promise<void> {
  const file = await Deno.makeTempFile({ suffix: ".html" });
  await Deno.writeTextFile(file, renderPage(await optionsOf(options.text ?? text)));
  browser ??= await launchChromium();
  const viewport = { width: options.width ?? 1280, height: 900 };
  const page = await browser.newPage({ viewport, colorScheme: options.colorScheme ?? "light" });
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
  for (let presses = 0; presses < 40; presses++) {
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
    assertEquals(await openCalls(page), expected);
    const shown = await page.locator(".row.open[data-kind=field]").count();
    assertEquals(shown, policy.fields.size - engine.hiddenFields(grant).length);
    const sum = await page.locator("#sum").textContent();
    assert(sum?.startsWith(`opens ${expected.length} of ${policy.routes.size} calls`), sum ?? "");
  }
});

testPage("what a call lacks is added by a click, and kept in the address", {}, async (page) => {
  await hold(page, ["pages.read"]);
  const row = page.locator(".row", { hasText: "/content/markdown" });
  await row.getByRole("button", { name: "lacks blocks.read" }).click();
  assert(await row.evaluate((element) => element.classList.contains("open")));
  assert(page.url().endsWith("#pages.read+blocks.read"), page.url());
});

testPage("an address says which token to show", { hash: "#search.read" }, async (page) => {
  assert(await page.getByLabel("search.read").first().isChecked());
  assertEquals((await openCalls(page)).filter((call) => call.includes("search")).length, 2);
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
