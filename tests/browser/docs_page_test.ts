/**
 * The API reference in a real browser, from the real server. It needs Chromium; `CHROMIUM` names
 * another one than Debian's.
 *
 * @module
 */
import { type Browser, chromium, type Page, type Response } from "playwright-core";
import { assert, assertEquals } from "../assert.ts";
import { baseUrl, mint, startRecto } from "../bench/processes.ts";

interface Operation {
  readonly summary: string;
  readonly operationId: string;
}

const document = JSON.parse(
  await Deno.readTextFile(new URL("../../spec/openapi.json", import.meta.url)),
);
const operations = Object.values<Record<string, Operation>>(document.paths)
  .flatMap((path) => Object.values(path));

interface Visit {
  readonly origin: string;
  readonly browser: Browser;
  readonly width: number;
}

/** Opens the page; fails on any error in it, and on anything that it asks of another host. */
async function visit(
  { origin, browser, width }: Visit,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() !== "info") faults.push(message.text());
  });
  page.on("request", (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol !== "data:" && asked !== origin) faults.push(request.url());
  });
  try {
    await page.goto(origin);
    await page.getByText("Bearer Token:").waitFor();
    await look(page);
    assertEquals(faults, []);
  } finally {
    await page.close();
  }
}

async function sendFirstCall(page: Page, token: string): Promise<void> {
  await page.getByPlaceholder("Token").first().fill(token);
  await page.getByRole("link", { name: "Read a user" }).first().click();
  await page.getByRole("button", { name: /Test Request.*\/v2\/users\/\{user_id\}/s }).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator('[contenteditable][aria-label*="Value"]').first().click();
  await page.keyboard.type("me");
  const isAnswer = (response: Response) => response.url().endsWith("/v2/users/me");
  const answered = page.waitForResponse(isAnswer);
  await dialog.getByRole("button", { name: /^Send/ }).first().click();
  assertEquals((await answered).status(), 200);
  await dialog.getByText("200 OK").waitFor();
}

Deno.test("the API reference lists every operation and sends a call that succeeds, of this server alone", async () => {
  await using server = await startRecto();
  const origin = baseUrl(server.port);
  const token = await mint(server.dataDir, "users.read");
  const browser = await chromium.launch({
    executablePath: Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  try {
    assertEquals(operations.length, 22);
    await visit({ origin, browser, width: 1280 }, async (page) => {
      assertEquals(page.url().startsWith(`${origin}/docs`), true);
      for (const { summary } of operations) {
        assert(await page.getByRole("link", { name: summary }).count() > 0, summary);
      }
      await sendFirstCall(page, token);
    });
    await visit({ origin, browser, width: 390 }, async (page) => {
      // As text, for here no types know of a browser's window.
      assertEquals(await page.evaluate("document.documentElement.scrollWidth"), 390);
      await page.getByRole("button", { name: "Open Menu" }).click();
      await page.getByRole("link", { name: "Read a user" }).first().waitFor();
    });
  } finally {
    await browser.close();
  }
});
