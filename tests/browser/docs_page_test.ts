/**
 * The API reference in a real browser, as the real server serves it.
 *
 * @module
 */
import type { Page } from "playwright-core";
import { assert, assertEquals } from "../assert.ts";
import { baseUrl, mint, type RunningRecto, startRecto } from "../bench/processes.ts";
import { launchChromium } from "./chromium.ts";

/** Far above what it takes on a free core: the script is large, and so is the document. */
const PATIENCE = 120_000;

interface Visit {
  readonly path?: string;
  readonly width?: number;
  readonly colorScheme?: "light" | "dark";
}

interface Visited {
  readonly page: Page;
  readonly server: RunningRecto;
}

/** Opens the reference; fails on any error in it, and on anything that it asks of another server. */
async function visit(
  { path = "/docs", width = 1280, colorScheme = "light" }: Visit,
  look: (visited: Visited) => Promise<void>,
): Promise<void> {
  await using server = await startRecto();
  const origin = baseUrl(server.port);
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({
      viewport: { width, height: 844 },
      colorScheme,
      // A click may miss what still scrolls.
      reducedMotion: "reduce",
    });
    page.setDefaultTimeout(PATIENCE);
    const issues: string[] = [];
    page.on("pageerror", (error) => issues.push(error.message));
    page.on("console", (message) => {
      // It tells its version. What the Content Security Policy forbids is an error.
      if (message.type() !== "info") issues.push(message.text());
    });
    page.on("request", (request) => {
      if (!/^data:/.test(request.url()) && new URL(request.url()).origin !== origin) {
        issues.push(request.url());
      }
    });
    await page.goto(`${origin}${path}`, { timeout: PATIENCE });
    await tokenField(page).waitFor();
    await look({ page, server });
    assertEquals(issues, []);
  } finally {
    await browser.close();
  }
}

/** By its role: Scalar labels the cell of the scheme's description with that whole text. */
function tokenField(page: Page) {
  return page.getByRole("textbox", { name: "Bearer Token" });
}

function testPage(name: string, options: Visit, look: (visited: Visited) => Promise<void>): void {
  Deno.test({
    name,
    // The browser's driver keeps its own timers and streams.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () => visit(options, look),
  });
}

/** `METHOD path` of every operation that the document has. */
async function operationsOf({ server }: Visited): Promise<string[]> {
  const { paths } = await (await fetch(`${baseUrl(server.port)}/v2/openapi.json`)).json();
  return Object.entries<Record<string, unknown>>(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`)
  ).sort();
}

/** `METHOD path` of every operation that the page leads to by a link that a reader sees. */
async function linkedOperations(page: Page): Promise<string[]> {
  const links = await page.locator('a[href*="#tag/"]:visible').evaluateAll((all) =>
    all.map((link) => decodeURIComponent(link.getAttribute("href") ?? ""))
  );
  const names = links.flatMap((link) => {
    const [, method, path] = /#tag\/[^/]+\/([A-Z]+)(\/.+)$/.exec(link) ?? [];
    return path === undefined ? [] : [`${method} ${path}`];
  });
  return [...new Set(names)].sort();
}

/** How much wider than the window the page is. */
function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
}

testPage("the reference lists every operation of the document", { path: "/" }, async (visited) => {
  const operations = await operationsOf(visited);
  assertEquals(operations.length, 22);
  await visited.page.getByRole("link", { name: "Read a user" }).waitFor();
  assertEquals(await linkedOperations(visited.page), operations);
});

testPage("a request is sent from the page with the token in its field", {}, async (visited) => {
  const { page, server } = visited;
  const token = await mint(server.dataDir, "users.read");
  await tokenField(page).fill(token);
  await page.getByRole("link", { name: "Read a user" }).click();
  await page.getByRole("button", { name: "(get /v2/users/{user_id})" }).click();
  const client = page.getByRole("dialog");
  await client.getByRole("combobox", { name: "Value" }).first().fill("me");
  const answering = page.waitForResponse(`${baseUrl(server.port)}/v2/users/me`);
  await client.getByRole("button", { name: "Send get request" }).click();
  const answer = await answering;
  assertEquals(answer.status(), 200);
  assertEquals(await answer.request().headerValue("authorization"), `Bearer ${token}`);
  await client.getByText("200 OK").first().waitFor();
  const { id } = await answer.json();
  await client.getByText(id).first().waitFor();
  const kept = await page.evaluate<string>("JSON.stringify([localStorage, sessionStorage])");
  assert(!kept.includes(token.slice(0, 20)), "The token outlives the page");
});

testPage(
  "a sample request has no optional choice of its query",
  { path: "/docs#tag/pages/POST/v2/pages" },
  async ({ page, server }) => {
    const sample = page.locator('section[id$="POST/v2/pages"]');
    await sample.getByText(`curl ${baseUrl(server.port)}/v2/pages \\`).waitFor();
  },
);

for (const path of ["/docs", "/docs#tag/pages/POST/v2/pages"]) {
  testPage(`nothing is cut off on a phone at ${path}`, { path, width: 390 }, async (visited) => {
    const { page } = visited;
    assertEquals(await overflowOf(page), 0);
    await page.getByRole("button", { name: "Open Menu" }).click();
    await page.getByRole("link", { name: "Read a user" }).waitFor();
    assertEquals(await linkedOperations(page), await operationsOf(visited));
    assertEquals(await overflowOf(page), 0);
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  testPage(`the page is ${colorScheme} where the screen is`, { colorScheme }, async ({ page }) => {
    assertEquals(await brightnessOf(page) > 127, colorScheme === "light");
  });
}

/** The brightness of the background, from 0 to 255. */
function brightnessOf(page: Page): Promise<number> {
  return page.evaluate<number>(
    "Math.max(...getComputedStyle(document.querySelector('.bar')).backgroundColor.match(/[\\d.]+/g).slice(0, 3).map(Number))",
  );
}

testPage("the reference and the policy lead to one another", {}, async ({ page }) => {
  await page.getByRole("link", { name: "Policy" }).click();
  await page.getByRole("heading", { name: "Calls and fields" }).waitFor();
  await page.getByRole("link", { name: "API reference" }).click();
  await tokenField(page).waitFor();
});
