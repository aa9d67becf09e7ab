/**
 * A service with a temporary database that is searched over its API.
 *
 * @module
 */
import { boot } from "../../src/app/boot.ts";
import { openLocalIssuer } from "../../src/auth/local_issuer.ts";
import { readConfig } from "../../src/config/config.ts";
import { LIMITS } from "../../src/content/values/limits.ts";
import { createLog } from "../../src/shared/log.ts";
import type { Document } from "./collection.ts";
import type { Way } from "./evaluation.ts";

/** Calls `METHOD /path` with a body; returns the parsed response, and rejects if it is an error. */
export type Call = (route: string, body: object) => Promise<unknown>;

export interface SearchService {
  readonly call: Call;
  /** Creates pages, and embeds them as the background does; returns the documents' IDs by page ID. */
  load(documents: readonly Document[]): Promise<ReadonlyMap<string, string>>;
}

const SCOPES = "pages.read pages.write blocks.write search.read";

/** Starts a service, and closes it and deletes its data once `use` has finished. */
export async function withService<T>(use: (service: SearchService) => Promise<T>): Promise<T> {
  const data = await Deno.makeTempDir({ prefix: "recto-search-" });
  const environment = new Map([
    ["RECTO_DATA_DIR", data],
    ["RECTO_RATE_LIMIT", "off"],
    ["RECTO_LOG_LEVEL", "off"],
  ]);
  const config = readConfig((name) => environment.get(name));
  const log = createLog({ level: "off", write: () => {}, now: Date.now });
  const { app, publicUrl } = await boot(config, log);
  try {
    const issuer = await openLocalIssuer({ folder: data });
    const token = await issuer.mint({ scope: SCOPES, ttlSeconds: 86_400, now: Date.now() });
    const call = caller({ handler: app.handler, origin: publicUrl, token });
    const { signal } = new AbortController();
    return await use({
      call,
      async load(documents) {
        const ids = await loadPages(call, documents);
        while (await app.indexing.step(signal));
        return ids;
      },
    });
  } finally {
    await app.close();
    await Deno.remove(data, { recursive: true });
  }
}

/** The ways in which the service searches: by any of the words, by meaning, and the default. */
export function waysOf(call: Call, documentIds: ReadonlyMap<string, string>): Way[] {
  const way = (name: string, route: string, how: object): Way => ({
    name,
    async search(query) {
      // Sound because the routes return lists.
      const { results } = await call(route, { query: cut(query), ...how, page_size: 100 }) as {
        readonly results: readonly { readonly id: string }[];
      };
      return results.map(({ id }) => documentIds.get(id) ?? "");
    },
  });
  return [
    way("keyword", "POST /v2/search", { words: "any" }),
    way("semantic", "POST /v2/search/semantic", { mode: "semantic" }),
    way("default", "POST /v2/search/semantic", {}),
  ];
}

/** Returns whether the API refuses a question for its length; it is asked for its beginning then. */
export function isTooLong(query: string): boolean {
  return query.length > LIMITS.searchText;
}

/** A question as far as the API takes it, up to a whole word. */
function cut(query: string): string {
  if (!isTooLong(query)) return query;
  const end = query.lastIndexOf(" ", LIMITS.searchText);
  return query.slice(0, end > 0 ? end : LIMITS.searchText);
}

async function loadPages(
  call: Call,
  documents: readonly Document[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const document of documents) {
    const blocks = blocksOf(document);
    const first = blocks.slice(0, LIMITS.array);
    // Sound because this route returns a page.
    const { id } = await call("POST /v2/pages", toPage(document, first)) as { readonly id: string };
    for (let at = LIMITS.array; at < blocks.length; at += LIMITS.array) {
      const children = blocks.slice(at, at + LIMITS.array);
      await call(`PATCH /v2/blocks/${id}/children`, { children });
    }
    ids.set(id, document.id);
  }
  return ids;
}

function toPage({ title }: Document, children: readonly object[]): object {
  return {
    parent: { workspace: true },
    properties: { title: { title: itemsOf(title).slice(0, LIMITS.array) } },
    children,
  };
}

/** A block for each paragraph, as an import makes them; of a very long paragraph several. */
function blocksOf({ paragraphs }: Document): object[] {
  return paragraphs.flatMap((paragraph) => {
    const items = itemsOf(paragraph);
    const count = Math.ceil(items.length / LIMITS.array);
    return Array.from({ length: count }, (_, at) => ({
      paragraph: { rich_text: items.slice(at * LIMITS.array, (at + 1) * LIMITS.array) },
    }));
  });
}

/** Text items, none of which cuts a character in two. */
function itemsOf(content: string): object[] {
  const pieces = content.match(/[^]{1,1999}(?:[\uDC00-\uDFFF]|(?![\uDC00-\uDFFF]))/g) ?? [];
  return pieces.map((piece) => ({ text: { content: piece } }));
}

interface CallerOptions {
  readonly handler: (request: Request) => Response | Promise<Response>;
  readonly origin: string;
  readonly token: string;
}

function caller({ handler, origin, token }: CallerOptions): Call {
  return async (route, body) => {
    const [method = "", path = ""] = route.split(" ");
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = { method, headers, body: JSON.stringify(body) };
    const response = await handler(new Request(`${origin}${path}`, init));
    const text = await response.text();
    if (!response.ok) throw new Error(`${route} returned ${response.status}: ${text}`);
    return JSON.parse(text);
  };
}
