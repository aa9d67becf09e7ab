/**
 * Counts of the results of a search: their total, and how many have each option of a property.
 *
 * @module
 */
import { parseRowDoc } from "../../content/pages/rows.ts";
import { propertyFinder, storedIn } from "../../content/properties/mod.ts";
import type { NodeView } from "../../content/schema/node.ts";
import type { Option, Property } from "../../content/schema/property.ts";
import type { Phrase } from "../../search/text/query.ts";
import type { ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import { findDatabase } from "../databases/endpoints.ts";
import type { Database } from "../shared/database_cache.ts";
import type { Services } from "../shared/services.ts";
import { type Asking, type Selection } from "./filters.ts";
import type { Facet, Total } from "./found_list.ts";
import { guardedIssue } from "../shared/guarded_fields.ts";
import type { FacetInput } from "./keyword_input.ts";
import { fittingPages } from "./page_parts.ts";
import { selectedIndex } from "./selected_index.ts";
import { selectedTimeline } from "./timeline.ts";
import { hitsWithAll, pagesWithAny, pagesWithWords } from "./word_search.ts";
import { nodePortions } from "../../shared/node_portions.ts";

/** Pages that are counted; of more, these are the newest with some of the words. */
export const MOST_COUNTED = 10_000;
/** Pages that are read at once. */
const STEP = 500;
/** Words of which any is looked for at once: an index reads a list for each in one step. */
const TOGETHER = 4;

/** The search whose results are counted. */
export interface CountedSearch {
  /** The words that were searched for, as they are spelt. */
  readonly asked: readonly Phrase[];
  /** The same in all their forms; none counts every selected page. */
  readonly phrases: readonly Phrase[];
  readonly excluded: readonly Phrase[];
  readonly match: "all" | "any";
  readonly selection: Selection;
  /** Pages with a lower score are not counted; default: none. */
  readonly minScore?: number | undefined;
}

/** The IDs of the results, and whether these are all. */
export interface CountedPages {
  readonly ids: ReadonlySet<string>;
  readonly relation: Total["relation"];
}

/** Returns the results of all pages of the list, within the limit. */
export async function countedPages(
  services: Pick<Services, "store">,
  workspace: string,
  search: CountedSearch,
): Promise<CountedPages> {
  const ids = new Set<string>();
  const { excluded, selection } = search;
  const pages = search.phrases.length === 0
    ? pagesByTime(services, workspace, search)
    : search.minScore === undefined
    ? pagesByWords(services, workspace, search)
    : pagesByScore(services, workspace, search);
  for await (const some of pages) {
    const refused = await pagesWithWords(services.store, workspace, some, {
      phrases: excluded,
      match: "any",
    });
    for (const id of some) if (!refused.has(id)) ids.add(id);
    if (ids.size > MOST_COUNTED) return { ids, relation: "at_least" };
    await selection.rest();
  }
  return { ids, relation: "exact" };
}

type Pages = AsyncGenerator<readonly string[], void>;

async function* pagesByTime(
  { store }: Pick<Services, "store">,
  workspace: string,
  { selection }: CountedSearch,
): Pages {
  const order = { by: "editedTime", direction: "descending", limit: STEP } as const;
  let places = await selectedTimeline(store, workspace, { ...order, phrases: [], selection });
  while (places.length > 0) {
    yield places.map(({ id }) => id);
    const after = places.at(-1);
    places = after === undefined || places.length < STEP
      ? []
      : await selectedTimeline(store, workspace, { ...order, phrases: [], selection, after });
  }
}

/** Yields pages with the words, some of them several times. */
async function* pagesByWords(
  services: Pick<Services, "store">,
  workspace: string,
  search: CountedSearch,
): Pages {
  const { phrases, match } = search;
  if (match === "all") return yield* pagesWithWordsOf(services, workspace, search);
  for (let at = 0; at < phrases.length; at += TOGETHER) {
    const some = { ...search, phrases: phrases.slice(at, at + TOGETHER) };
    yield* pagesWithWordsOf(services, workspace, some);
  }
}

async function* pagesWithWordsOf(
  { store }: Pick<Services, "store">,
  workspace: string,
  { phrases, match, selection }: CountedSearch,
): Pages {
  const index = selectedIndex(store, selection);
  const { scope } = selection;
  let before: number | undefined;
  do {
    const { matches, rest } = await index.findWords(workspace, {
      phrases,
      match,
      scope,
      limit: STEP,
      ...(before !== undefined && { before }),
    });
    // The index finds beginnings of words, of which the forms accept some.
    yield [...await fittingPages(matches, phrases, { match, pause: selection.rest })];
    before = rest;
  } while (before !== undefined);
}

async function* pagesByScore(
  { store }: Pick<Services, "store">,
  workspace: string,
  { asked, phrases, match, selection, minScore }: CountedSearch,
): Pages {
  const index = selectedIndex(store, selection);
  const ranked = { minScore, scope: selection.scope, place: undefined };
  if (match === "all") {
    const search = { ...ranked, phrases: asked, forms: phrases };
    for await (const hits of hitsWithAll(index, workspace, search)) yield hits.map(({ id }) => id);
  } else {
    const search = { ...ranked, phrases, limit: MOST_COUNTED + 1 };
    const hits = await pagesWithAny(index, workspace, search);
    yield hits.map(({ id }) => id);
  }
}

/** A property whose options are counted. */
export interface FacetProperty {
  readonly database: Database;
  readonly property: Property & { readonly options: readonly Option[] };
}

const COUNTED_TYPES: readonly string[] = ["select", "multi_select", "status"];

/** Reads the facets of a request; adds all their issues to `issues`. */
export async function readFacets(
  services: Services,
  { caller: { workspace }, hidden, pointer: base }: Asking,
  inputs: readonly FacetInput[] = [],
  issues: ValidationIssue[],
): Promise<readonly FacetProperty[]> {
  const facets: FacetProperty[] = [];
  for (const [index, input] of inputs.entries()) {
    const pointer = pointerTo(pointerTo(base, "facets"), index);
    const place = pointerTo(pointer, "database_id");
    const database = await findDatabase(services, workspace, input.database_id, place);
    const guarded = guardedIssue(hidden, { pointer, members: ["properties"] });
    if (guarded !== undefined) issues.push(guarded);
    const property = propertyFinder(database.doc.properties)(input.property);
    if (property !== undefined && isCounted(property)) facets.push({ database, property });
    else issues.push(notCounted(property, { pointer, name: input.property }));
  }
  return facets;
}

function isCounted(property: Property): property is FacetProperty["property"] {
  return COUNTED_TYPES.includes(property.type) && "options" in property;
}

function notCounted(
  property: Property | undefined,
  { pointer, name }: { readonly pointer: string; readonly name: string },
): ValidationIssue {
  const detail = property === undefined
    ? `Could not find property with name or id: ${name}`
    : `Property \`${property.name}\` of type ${property.type} has no options to count: ` +
      "choose one of type select, multi_select or status.";
  return { pointer: pointerTo(pointer, "property"), detail };
}

/** Counts the options among these pages. */
export async function countFacets(
  services: Services,
  workspace: string,
  facets: readonly FacetProperty[],
  counted: CountedPages & { readonly rest: Selection["rest"] },
): Promise<Facet[]> {
  const counters = facets.map(createCounter);
  const ids = [...counted.ids];
  for (let at = 0; at < ids.length && facets.length > 0; at += STEP) {
    const pages = await services.store.pageFacts(workspace, ids.slice(at, at + STEP));
    const rows = pages.filter(({ parentId }) =>
      facets.some(({ database }) => database.node.id === parentId)
    );
    for await (const nodes of nodePortions(services.store, workspace, rows.map(({ id }) => id))) {
      for (const node of nodes) for (const { count } of counters) count(node);
      await counted.rest();
    }
  }
  return counters.map(({ facet }) => facet(counted));
}

interface Counter {
  /** Counts the options of a row of any database. */
  count(row: NodeView): void;
  facet(counted: CountedPages): Facet;
}

function createCounter(facet: FacetProperty): Counter {
  const { database, property } = facet;
  const known = new Set(property.options.map(({ id }) => id));
  const counts = new Map<string, number>();
  return {
    count({ doc, parentId }) {
      if (parentId !== database.node.id) return;
      const { values = {} } = parseRowDoc(doc);
      const stored = [storedIn(values, property) ?? []].flat();
      // Options that were removed from the schema stay in the rows, unseen.
      const ids = stored.filter((id): id is string => typeof id === "string" && known.has(id));
      for (const id of ids.length === 0 ? [NONE] : ids) counts.set(id, (counts.get(id) ?? 0) + 1);
    },
    facet: (counted) => facetOf(facet, counts, counted),
  };
}

/** In place of the ID of an option, where a row has none. */
const NONE = "";

function facetOf(
  { database, property }: FacetProperty,
  counts: ReadonlyMap<string, number>,
  { relation }: CountedPages,
): Facet {
  const options = property.options.flatMap(({ id, name, color }) => {
    const count = counts.get(id) ?? 0;
    return count === 0 ? [] : [{ id, name, color, count }];
  });
  return {
    database_id: database.node.id,
    property_id: property.id,
    property: property.name,
    options: options.toSorted((a, b) => b.count - a.count),
    empty: counts.get(NONE) ?? 0,
    relation,
  };
}
