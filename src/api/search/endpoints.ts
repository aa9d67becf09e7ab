/**
 * Search by keywords and by meaning. What searches is loaded with the first search, because it brings
 * the rules of many languages.
 *
 * @module
 */
import { lazyPromise } from "../../shared/lazy.ts";
import * as example from "../shared/examples.ts";
import { define } from "../shared/services.ts";
import { foundList, SEARCH } from "./found_list.ts";
import { searchInput } from "./keyword_input.ts";
import { semanticResultList, semanticSearchInput } from "./semantic_input.ts";

const keyword = lazyPromise(() => import("./keyword.ts"));
const semantic = lazyPromise(() => import("./semantic.ts"));

export const searchEndpoints = [
  define({
    method: "POST",
    path: "/v2/search",
    readsOnly: true,
    operationId: "search",
    tag: SEARCH,
    summary: "Search by keywords",
    description:
      "Finds pages, rows and databases by the words in their titles, properties and content, best match first. Changes are searchable as soon as they are written. Objects in the trash are not found.",
    body: searchInput,
    response: foundList,
    example: {
      request: {
        query: "count nest",
        filter: { property: "object", value: "page" },
        page_size: 20,
      },
      response: {
        ...example.list("page_or_database", [{
          ...example.page,
          match: {
            score: 4.25,
            block_id: example.TO_DO,
            text: "Count the nests",
            highlights: [{ start: 0, end: 5 }, { start: 10, end: 15 }],
          },
        }]),
        search: { words: "all", corrected_query: null },
      },
    },
    handle: async (call, services) => (await keyword()).search(call, services),
  }),
];

export const semanticEndpoints = [
  define({
    method: "POST",
    path: "/v2/search/semantic",
    readsOnly: true,
    needsPrimary: true,
    operationId: "searchByMeaning",
    tag: SEARCH,
    summary: "Search by meaning",
    description:
      "Finds pages and rows by what they are about, even if they use other words, best match first. The list ends after a few hundred results. Changes are searchable some seconds after they are written.",
    body: semanticSearchInput,
    response: semanticResultList,
    example: {
      request: { query: "Where do swallows breed?", mode: "hybrid", page_size: 20 },
      response: {
        ...example.list("page_or_database", [{
          ...example.page,
          match: { score: 1.25, block_id: example.TO_DO, text: "Count the nests" },
        }]),
        search: { ranked_by: "hybrid", due: 0 },
      },
    },
    handle: async (call, services) => (await semantic()).searchByMeaning(call, services),
  }),
];
