/**
 * The pages, databases and rows that an import has written, and the requests that write them.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { ApiError, isRefusal } from "../../transfer/api_error.ts";
import { type Json, type JsonObject, textAt } from "../../transfer/json.ts";
import type { Planned } from "../plan.ts";
import type { Column } from "../tables/column.ts";
import type { WrittenNode } from "./settle.ts";
import type { WriteInput } from "./write_plan.ts";

/** One of several steps of writing a node. */
export interface Step {
  readonly key: string;
  readonly step: string;
}

/** The body that creates a row. */
export interface RowBody {
  readonly key: string;
  readonly body: JsonObject;
}

/** The blocks of a page that is created with them. */
export interface WholeContent {
  readonly children: Json;
  readonly record: string;
}

export interface Registry {
  /** Returns the page or database that a node has become; undefined if it is not written. */
  node(key: string): WrittenNode | undefined;
  /** Returns whether a step was done, in this run or an earlier one. */
  isDone(key: string, step: string): boolean;
  /** Returns what was recorded of a step; undefined if it was not done. */
  recorded(key: string, step: string): string | undefined;
  /** Records that a step was done. */
  finish(key: string, step: string, record: string): void;
  /** Creates a page, row or database, unless an earlier run has. */
  create(node: Planned, path: string, body: JsonObject): Promise<void>;
  /**
   * Creates a page with its content. Resolves to false if an earlier run has created it without
   * content, although nothing in the journal says so. `record` is what to record of the content.
   */
  createWhole(node: Planned, body: JsonObject, content: WholeContent): Promise<boolean>;
  /** Creates a row that nothing refers to. */
  createRow(row: RowBody): Promise<void>;
  /**
   * Creates rows that nothing refers to, all in one request: these rows, whenever `key` is given.
   * Resolves to false if each of them has to be created on its own.
   */
  createRows(key: string, rows: readonly RowBody[]): Promise<boolean>;
  patch(path: string, body: JsonObject, step: Step): Promise<JsonObject>;
  setColumns(database: string, columns: readonly Column[]): void;
  columns(database: string): readonly Column[];
  /** The idempotency key of a step. */
  keyOf(step: Step): string;
}

/** The step that writes the content of a page. */
export const CONTENT = "content";
/** The step that creates a page, row or database. */
const NODE = "node";
/** The step that creates several rows. */
const ROWS = "rows";
/** Recorded of several rows that are created one by one. */
const ONE_BY_ONE = "one by one";
const DONE = "done";
const IMPORT = "import";
const BASE = "base";

/** Creates the registry of an import. */
export function createRegistry({ api, journal, plan }: WriteInput): Registry {
  const nodes = new Map(plan.nodes.map((node) => [node.key, node]));
  const columns = new Map<string, readonly Column[]>();
  if (journal.get(IMPORT) === undefined) journal.put(IMPORT, crypto.randomUUID());
  const run = journal.get(IMPORT);
  const nameOf = ({ key, step }: Step) => `${step}:${key}`;
  const keyOf = (step: Step) =>
    createHash("sha256").update(`${run}\0${nameOf(step)}`).digest("base64url");
  const recorded = (key: string, step: string) => journal.get(nameOf({ key, step }));
  const finish = (key: string, step: string, record: string) =>
    journal.put(nameOf({ key, step }), record);
  /** `content` is recorded if this request writes it as well. */
  const post = async (key: string, path: string, body: JsonObject, content?: string) => {
    if (isDone(key, NODE)) return;
    const reply = await api.post(path, body, { key: keyOf({ key, step: NODE }) });
    const id = textAt(reply, "id");
    if (journal.get(BASE) === undefined) {
      journal.put(BASE, textAt(reply, "url").replace(/\/v2\/.*$/s, ""));
    }
    // The node comes last: without it, the same request is sent again and gets the same reply.
    if (content !== undefined) finish(key, CONTENT, content);
    finish(key, NODE, id);
  };
  const node = (key: string): WrittenNode | undefined => {
    const id = recorded(key, NODE);
    const planned = nodes.get(key);
    if (id === undefined || planned === undefined) return undefined;
    const kind = planned.kind === "database" ? "database" : "page";
    return { id, kind, title: planned.title, url: `${journal.get(BASE)}/v2/${kind}s/${id}` };
  };
  const isDone = (key: string, step: string) => recorded(key, step) !== undefined;
  return {
    node,
    keyOf,
    recorded,
    finish,
    isDone,
    async create(planned, path, body) {
      nodes.set(planned.key, planned);
      await post(planned.key, path, body);
    },
    async createWhole(planned, body, { children, record }) {
      nodes.set(planned.key, planned);
      try {
        await post(planned.key, "/v2/pages", { ...body, children }, record);
        return true;
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "idempotency_key_reused") throw error;
        await post(planned.key, "/v2/pages", body);
        return false;
      }
    },
    createRow: ({ key, body }) => post(key, "/v2/pages", body),
    async createRows(key, rows) {
      if (isDone(key, ROWS)) return true;
      // Some of them may be there already.
      if (isDone(key, ONE_BY_ONE) || rows.some((row) => isDone(row.key, NODE))) return false;
      try {
        const bodies = rows.map(({ body }) => body);
        await api.postLines("/v2/pages", bodies, { key: keyOf({ key, step: ROWS }) });
        finish(key, ROWS, DONE);
        return true;
      } catch (error) {
        // One row is faulty, all are too large together, or the server takes no JSON Lines.
        if (!isRefusal(error)) throw error;
        finish(key, ONE_BY_ONE, DONE);
        return false;
      }
    },
    async patch(path, body, step) {
      const reply = await api.patch(path, body, { key: keyOf(step) });
      finish(step.key, step.step, DONE);
      return reply;
    },
    setColumns: (database, list) => void columns.set(database, list),
    columns: (database) => columns.get(database) ?? [],
  };
}
