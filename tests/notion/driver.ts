/**
 * Drives `/v1` in any version of the vendor's wire format.
 *
 * @module
 */
import { assertEquals } from "../assert.ts";
import { type TestApp, type TestAppOptions, withApp } from "../support/app.ts";

/** The version that `/v2` speaks. */
export const V = "2022-06-28";

/** Every version, oldest first. */
export const VERSIONS = [
  "2021-05-11",
  "2021-05-13",
  "2021-08-16",
  "2022-02-22",
  V,
  "2025-09-03",
  "2026-03-11",
];

// deno-lint-ignore no-explicit-any -- a test reads into answers freely, and asserts what it finds
export type AnyJson = any;

export interface NotionApp extends TestApp {
  /** Calls `METHOD /path` below `/v1` and returns the body of its success. */
  notion(route: string, body?: unknown, version?: string): Promise<AnyJson>;
  /** Calls `METHOD /path` below `/v1` and returns the body of its error. */
  refused(route: string, body?: unknown, version?: string): Promise<AnyJson>;
}

/** Runs a test on an app of its own. */
export function withNotion(
  test: (app: NotionApp) => Promise<void>,
  options: TestAppOptions = {},
): Promise<void> {
  return withApp((app) => {
    const send = (route: string, body: unknown, version: string) =>
      app.call(route.replace(" /", " /v1/"), {
        headers: { "notion-version": version },
        ...(body !== undefined && { body }),
      });
    return test({
      ...app,
      notion: async (route, body, version = V) => {
        const { status, json } = await send(route, body, version);
        assertEquals(status, 200, `${route} ${version}: ${JSON.stringify(json)}`);
        return json;
      },
      refused: async (route, body, version = V) => {
        const { status, json } = await send(route, body, version);
        assertEquals(status, json.status);
        assertEquals(json.object, "error");
        return json;
      },
    });
  }, options);
}

/** Creates a page from Markdown, in the version that takes it, and returns its ID. */
export async function newPage({ notion }: NotionApp, markdown: string): Promise<string> {
  const { id } = await notion("POST /pages", {
    parent: { workspace: true },
    properties: { title: [{ text: { content: "Page" } }] },
    markdown,
  }, "2026-03-11");
  return id;
}
