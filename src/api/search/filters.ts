/**
 * Filters of a search: reads them, and finds out which pages match.
 *
 * @module
 */
import type { Call } from "../../http/endpoint.ts";
import { createScanBudget, LimitError } from "../../content/formulas/compute_budget.ts";
import { matches } from "../../content/query/evaluate.ts";
import { type Filter, NEWEST_FIRST } from "../../content/query/filter.ts";
import { readFilter } from "../../content/query/read_filter.ts";
import type { FilterInput } from "../../content/query/input.ts";
import { splitFilter } from "../../content/query/split_filter.ts";
import { normalizeId } from "../../content/values/ids.ts";
import {
  conjuncts,
  matchesPage,
  type SearchFilter,
  type SearchScope,
  splitScope,
} from "../../search/filter.ts";
import { FILTER_LIMITS, type SearchFilterInput } from "../../search/filter_input.ts";
import { validationError, type ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import { createRest, type Rest } from "../../shared/yield_to_event_loop.ts";
import type { PageFacts } from "../../store/port.ts";
import { searchRows } from "../databases/computed_query.ts";
import { findDatabase } from "../databases/endpoints.ts";
import { querySchemaOf, rowViewer } from "../databases/query.ts";
import type { Database } from "../shared/database_cache.ts";
import type { Services } from "../shared/services.ts";
import { type Guarded, guardedIssue, membersIn } from "../shared/guarded_fields.ts";
import { nodePortions } from "../../shared/node_portions.ts";

/** A condition on the properties of the rows of a database. */
export interface RowCondition {
  readonly database: Database;
  readonly filter: Filter;
}

export type PageFilter = SearchFilter<RowCondition>;

/** The members of a call that reading a filter uses. */
export interface Asking extends Pick<Call<unknown, unknown, unknown>, "caller" | "now" | "hidden"> {
  /** JSON pointer to the search in the body. */
  readonly pointer: string;
}

/** Selects pages and databases, within the limits of one search. */
export interface Selection {
  readonly scope: SearchScope;
  /** The matches, if the filter is so narrow that they are few. */
  readonly few?: readonly string[];
  /** Returns the matches among these pages; undefined if all pages in the scope match. */
  readonly among?: (ids: readonly string[]) => Promise<readonly PageFacts[]>;
  /** Pauses a long search. */
  readonly rest: Rest;
}

/** Up to this many matching rows are searched one by one. */
const FEW = 300;
/** Pages that one search compares with its filter. */
export const MOST_COMPARED = 200_000;

interface FilterReader {
  readonly services: Services;
  readonly asking: Asking;
  readonly issues: ValidationIssue[];
  conditions: number;
  databases: number;
}

/** Reads a filter; adds all its issues to `issues`. */
export async function readSearchFilter(
  services: Services,
  asking: Asking,
  input: SearchFilterInput | undefined,
  issues: ValidationIssue[],
): Promise<PageFilter | undefined> {
  if (input === undefined) return undefined;
  const reader = { services, asking, issues, conditions: 0, databases: 0 };
  const pointer = pointerOf(asking);
  const filter = await read(input, reader, { pointer, level: 0 });
  addLimitIssues(reader, pointer);
  return filter;
}

function pointerOf({ pointer }: Asking): string {
  return pointerTo(pointer, "filter");
}

function addLimitIssues({ issues, conditions, databases }: FilterReader, pointer: string): void {
  if (conditions > FILTER_LIMITS.conditions) {
    const detail = `A filter can have at most ${FILTER_LIMITS.conditions} conditions.`;
    issues.push({ pointer, detail });
  }
  if (databases > FILTER_LIMITS.databases) {
    const detail =
      `A filter can have at most ${FILTER_LIMITS.databases} conditions on properties of databases.`;
    issues.push({ pointer, detail });
  }
}

interface Position {
  readonly pointer: string;
  /** Number of `and`, `or` and `not` around it. */
  readonly level: number;
}

/** Matches nothing, in place of a condition with an issue. */
const MATCH_NONE: PageFilter = { op: "or", filters: [] };

async function read(
  input: SearchFilterInput,
  reader: FilterReader,
  position: Position,
): Promise<PageFilter> {
  const { pointer } = position;
  if ("and" in input) return await readCompound("and", input.and, reader, position);
  if ("or" in input) return await readCompound("or", input.or, reader, position);
  if ("not" in input) {
    const filter = await readPart(input.not, reader, position, pointerTo(pointer, "not"));
    return { op: "not", filter };
  }
  reader.conditions++;
  if ("database_id" in input) return await readRows(input, reader, pointer);
  if ("timestamp" in input) {
    addGuardedIssue(reader, { pointer, members: [input.timestamp] });
    return readTime(input, reader, pointer);
  }
  addGuardedIssue(reader, { pointer, members: MEMBERS[input.property] });
  return readPlace(input, reader.asking);
}

/** Members of pages and databases that conditions read. */
const MEMBERS = {
  object: [],
  parent: ["parent"],
  ancestor: ["parent"],
  created_by: ["created_by"],
  last_edited_by: ["last_edited_by"],
} as const;

function addGuardedIssue({ asking, issues }: FilterReader, guarded: Guarded): void {
  const issue = guardedIssue(asking.hidden, guarded);
  if (issue !== undefined) issues.push(issue);
}

async function readCompound(
  op: "and" | "or",
  inputs: readonly SearchFilterInput[],
  reader: FilterReader,
  position: Position,
): Promise<PageFilter> {
  const filters: PageFilter[] = [];
  for (const [index, input] of inputs.entries()) {
    const pointer = pointerTo(pointerTo(position.pointer, op), index);
    filters.push(await readPart(input, reader, position, pointer));
  }
  // Clients that build lists of conditions send empty ones to set no condition.
  return { op: filters.length === 0 ? "and" : op, filters };
}

async function readPart(
  input: SearchFilterInput,
  reader: FilterReader,
  { level }: Position,
  pointer: string,
): Promise<PageFilter> {
  if (level < FILTER_LIMITS.nesting) {
    return await read(input, reader, { pointer, level: level + 1 });
  }
  const detail = `Filters can be nested at most ${FILTER_LIMITS.nesting} levels deep.`;
  reader.issues.push({ pointer, detail });
  return MATCH_NONE;
}

type PlaceInput = Extract<SearchFilterInput, { readonly property: string }>;

function readPlace({ property, value }: PlaceInput, { caller }: Asking): PageFilter {
  if (property === "object") return { op: "object", kind: value };
  if (property === "parent" || property === "ancestor") {
    return { op: property, id: normalizeId(value) };
  }
  const id = value === "me" ? caller.userId : normalizeId(value);
  return { op: "user", member: property === "created_by" ? "createdBy" : "editedBy", id };
}

type TimeInput = Extract<SearchFilterInput, { readonly timestamp: string }>;

function readTime(input: TimeInput, { asking, issues }: FilterReader, pointer: string): PageFilter {
  const found: ValidationIssue[] = [];
  // Sound because the schema of the timestamps is that of a query of a database.
  const filter = readFilter(input as FilterInput, noProperties(asking.now), found);
  issues.push(...found.map((issue) => inside(issue, pointer)));
  return filter === undefined ? { op: "and", filters: [] } : { op: "time", filter };
}

function noProperties(now: number): Parameters<typeof readFilter>[1] {
  return { find: () => undefined, kindOf: () => undefined, target: () => undefined, now };
}

/** Moves an issue of a filter to where that filter is. */
function inside({ pointer, detail }: ValidationIssue, outer: string): ValidationIssue {
  return { pointer: outer + pointer.slice("/filter".length), detail };
}

type RowsInput = Extract<SearchFilterInput, { readonly database_id: string }>;

async function readRows(
  { database_id, filter }: RowsInput,
  reader: FilterReader,
  pointer: string,
): Promise<PageFilter> {
  const { services, asking, issues } = reader;
  const { caller: { workspace }, now } = asking;
  if (++reader.databases > FILTER_LIMITS.databases) return MATCH_NONE;
  addGuardedIssue(reader, { pointer, members: ["parent"] });
  const place = pointerTo(pointer, "database_id");
  const database = await findDatabase(services, workspace, database_id, place);
  const rows = { op: "rows", databaseId: database.node.id } as const;
  if (filter === undefined) return rows;
  const inner = pointerTo(pointer, "filter");
  addGuardedIssue(reader, { pointer: inner, members: membersIn(filter) });
  const found: ValidationIssue[] = [];
  const condition = readFilter(filter, querySchemaOf(database, now), found);
  issues.push(...found.map((issue) => inside(issue, inner)));
  return condition === undefined ? rows : { ...rows, condition: { database, filter: condition } };
}

/** Runs a search with a filter; its long parts take turns with other requests. */
export function withSelection<T>(
  services: Services,
  asking: Asking,
  filter: PageFilter | undefined,
  search: (selection: Selection) => Promise<T>,
): Promise<T> {
  const { caller } = asking;
  const { workspace } = caller;
  const { scope, residual } = splitScope(filter);
  if (filter === undefined || residual === undefined) return search({ scope, rest: createRest() });
  return services.longReads(caller, async (pause) => {
    const rest = createRest(pause);
    const matching = { services, workspace, asking, pause, rest, left: MOST_COMPARED };
    const few = await fewRows(matching, filter);
    return await search({
      scope,
      rest,
      among: (ids) => pagesAmong(matching, filter, ids),
      ...(few !== undefined && { few }),
    });
  });
}

/** One search that compares pages with its filter. */
interface Matching {
  readonly services: Services;
  readonly workspace: string;
  readonly asking: Asking;
  readonly pause: () => Promise<void>;
  readonly rest: Rest;
  /** Pages that it may still compare. */
  left: number;
}

/** Returns the rows of a narrow condition that all matches meet; undefined if there is none. */
async function fewRows(matching: Matching, filter: PageFilter): Promise<string[] | undefined> {
  const stored = conjuncts(filter).flatMap((part) =>
    part.op === "rows" && part.condition !== undefined ? [part.condition] : []
  ).find((condition) => splitFilter(condition.filter).residual === undefined);
  if (stored === undefined) return undefined;
  const { services: { store }, workspace, asking, pause, rest } = matching;
  const { userId } = asking.caller;
  try {
    const rows = await searchRows({
      store,
      workspace,
      rest,
      view: viewOf(matching, stored),
      query: {
        databaseId: stored.database.node.id,
        inTrash: false,
        filter: stored.filter,
        sorts: NEWEST_FIRST,
        limit: FEW + 1,
      },
      pacing: { userId, pause, budget: createScanBudget() },
      // Their IDs are enough.
      isKnown: () => true,
    });
    return rows.length > FEW ? undefined : rows.map(({ cursor }) => cursor.id);
  } catch (error) {
    if (error instanceof LimitError) throw tooManyPages(matching);
    throw error;
  }
}

async function pagesAmong(
  matching: Matching,
  filter: PageFilter,
  ids: readonly string[],
): Promise<readonly PageFacts[]> {
  matching.left -= ids.length;
  if (matching.left < 0) throw tooManyPages(matching);
  const facts = await matching.services.store.pageFacts(matching.workspace, ids);
  const known = new Map<RowCondition, ReadonlySet<string>>();
  const isMatch = (page: PageFacts) =>
    matchesPage(filter, page, (condition, id) => known.get(condition)?.has(id));
  for (const condition of conditionsIn(filter)) {
    await matching.rest();
    const undecided = facts.filter((page) =>
      isMatch(page) === undefined && page.parentId === condition.database.node.id
    );
    known.set(condition, await matchingRows(matching, condition, undecided.map(({ id }) => id)));
  }
  await matching.rest();
  return facts.filter((page) => isMatch(page) === true);
}

function conditionsIn(filter: PageFilter): RowCondition[] {
  if (filter.op === "and" || filter.op === "or") return filter.filters.flatMap(conditionsIn);
  if (filter.op === "not") return conditionsIn(filter.filter);
  return filter.op === "rows" && filter.condition !== undefined ? [filter.condition] : [];
}

/** Evaluates a condition on these rows, a few at once. */
async function matchingRows(
  matching: Matching,
  condition: RowCondition,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const view = viewOf(matching, condition);
  for await (const nodes of nodePortions(matching.services.store, matching.workspace, ids)) {
    const rows = await view(nodes.map((node) => ({ node, cursor: { keys: [], id: node.id } })));
    for (const row of rows) if (matches(condition.filter, row)) found.add(row.id);
    await matching.rest();
  }
  return found;
}

function viewOf(
  { services, workspace, asking: { now }, rest }: Matching,
  { database, filter }: RowCondition,
): ReturnType<typeof rowViewer> {
  return rowViewer(services, workspace, { database, order: { filter, sorts: [] }, now, rest });
}

function tooManyPages({ asking }: Matching): Error {
  return validationError([{
    pointer: pointerOf(asking),
    detail: `The search compares too many pages with its filter: at most ${MOST_COMPARED}. ` +
      "Search for words, or add a condition on `parent`, `ancestor` or `database_id`.",
  }]);
}
