/**
 * Takes the screenshots of the README: `deno task screenshots`. With a folder, takes each page that
 * people see in light, dark and on a phone: `deno task screenshots FOLDER`.
 *
 * @module
 */
import type { Browser, Page } from "playwright-core";
import { baseUrl, startRecto } from "../bench/processes.ts";
import { launchChromium } from "./chromium.ts";

const README_FOLDER = "docs/images";
const PATIENCE = 120_000;

interface Screenshot {
  readonly name: string;
  readonly path: string;
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
  readonly prepare?: (page: Page) => Promise<void>;
}

const PAGES: readonly Screenshot[] = [
  { name: "docs", path: "/docs", prepare: showReference },
  { name: "docs-operation", path: "/docs#tag/pages/POST/v2/pages", prepare: showReference },
  { name: "policy", path: "/policy", prepare: showPolicy },
  { name: "not-found", path: "/nothing-here" },
];

const LOOKS = [
  { look: "light", width: 1280, height: 800, colorScheme: "light" },
  { look: "dark", width: 1280, height: 800, colorScheme: "dark" },
  { look: "phone", width: 390, height: 844, colorScheme: "light" },
  { look: "phone-dark", width: 390, height: 844, colorScheme: "dark" },
] as const;

function readmeScreenshots(): Screenshot[] {
  return PAGES.filter(({ name }) => name === "docs" || name === "policy");
}

function everyScreenshot(): Screenshot[] {
  return PAGES.flatMap((page) =>
    LOOKS.map(({ look, ...screen }) => ({ ...page, ...screen, name: `${page.name}-${look}` }))
  );
}

/** Waits for the page's script, which renders everything. */
async function showReference(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Bearer Token" }).waitFor({ state: "attached" });
  await page.waitForTimeout(1_000);
}

/** Ticks two scopes, so that the table shows what a token with them opens. A phone folds them away. */
async function showPolicy(page: Page): Promise<void> {
  for (const scope of ["pages.read", "blocks.read"]) {
    const box = page.locator(`input[value="${scope}"]`);
    if (await box.isVisible()) await box.check();
  }
}

async function take(
  browser: Browser,
  origin: string,
  folder: string,
  { name, path, width = 1360, height = 800, colorScheme = "light", prepare }: Screenshot,
): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  page.setDefaultTimeout(PATIENCE);
  await page.goto(`${origin}${path}`);
  await prepare?.(page);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.close();
}

if (import.meta.main) {
  const [folder] = Deno.args;
  const shots = folder === undefined ? readmeScreenshots() : everyScreenshot();
  const target = folder ?? README_FOLDER;
  await Deno.mkdir(target, { recursive: true });
  await using server = await startRecto();
  const browser = await launchChromium();
  try {
    for (const shot of shots) await take(browser, baseUrl(server.port), target, shot);
  } finally {
    await browser.close();
  }
}
