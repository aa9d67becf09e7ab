/**
 * Materializes formulas once a query had to compute them for many rows: in the background, slice by
 * slice, by one process at a time.
 *
 * INVARIANT: from the version of the database on that names a materialized formula, each write of a
 * row writes its cell. Slices write those of all other rows, each in the version that it was
 * computed from. So once every row from before has had its slice, every row has its value.
 *
 * @module
 */
import { contentOf } from "../../content/databases/appearance.ts";
import {
  definitionOf,
  dropped,
  materializedId,
} from "../../content/databases/materialized_formulas.ts";
import { parseRowDoc } from "../../content/pages/rows.ts";
import type { MaterializedFormula, RowPlace } from "../../content/schema/database.ts";
import type { Change, MaterializedCell } from "../../content/schema/node.ts";
import { createBackgroundRest } from "../../shared/yield_to_event_loop.ts";
import type { Database } from "./database_cache.ts";
import type { Services } from "./services.ts";
import { materializedCell } from "./materialized_cells.ts";
import { nodePortions } from "../../shared/node_portions.ts";

export interface Materializer {
  /** Number of rows from which on a query that computes them asks to materialize them. */
  readonly from: number;
  /** The release that values are materialized for. */
  readonly release: string;
  /** Materializes these properties if they can be, and deletes the cells of dropped ones. */
  materialize(workspace: string, databaseId: string, propertyIds: readonly string[]): void;
  /** Resolves once nothing is left to do. */
  settled(): Promise<void>;
  /** Stops after the current slice; another process, or a later query, goes on. */
  stop(): Promise<void>;
}

export interface MaterializerOptions extends Pick<Services, "store" | "commits" | "databases"> {
  readonly release: string;
  readonly from?: number | undefined;
  /** Replaces `SLICE`. */
  readonly slice?: number | undefined;
  readonly now: () => number;
  readonly newId: () => string;
  readonly onFailure: (error: unknown) => void;
}

/** Rows that are computed in some tens of milliseconds. */
const MANY = 2_000;
/** Rows of a slice: some milliseconds of computing, and as many of writing. */
const SLICE = 200;
/** Materialized formulas of a database: each adds to the cost of its writes. */
const MOST_MATERIALIZED = 8;
/** Milliseconds after which another process goes on with what this one has not ended. */
const LEASE = 60_000;
/** Most milliseconds between two slices: a longer one has mostly waited for others. */
const LONGEST_REST = 1_000;
/** Attempts to write a slice or a step while others write the same rows. */
const ATTEMPTS = 64;

/** One formula to materialize. */
interface Job {
  readonly workspace: string;
  readonly databaseId: string;
  readonly propertyId: string;
  /** The row up to which this process has worked. */
  after: RowPlace | null;
  /** Conflicts with writes of others since the last step that was committed. */
  conflicts: number;
}

/** Creates a materializer without work. */
export function createMaterializer(options: MaterializerOptions): Materializer {
  const { from = MANY, release, onFailure } = options;
  /** Jobs by their names, by workspace. */
  const queues = new Map<string, Map<string, Job>>();
  const stopped = new AbortController();
  const takeStep = createStep({ ...options, owner: options.newId() });
  let running: Promise<void> | undefined;

  /** Takes a step for each workspace in turn, so that none waits until another has all its values. */
  async function work(): Promise<void> {
    while (queues.size > 0) {
      for (const [workspace, queue] of queues) {
        const [next] = queue;
        if (next !== undefined && await takeTurn(next[1])) queue.delete(next[0]);
        if (queue.size === 0) queues.delete(workspace);
      }
    }
    running = undefined;
  }

  /** Takes the next step of a job; returns true if it was the last one. */
  async function takeTurn(job: Job): Promise<boolean> {
    const began = performance.now();
    try {
      if (stopped.signal.aborted) return true;
      const outcome = await takeStep(job);
      if (outcome === "ended") return true;
      job.conflicts = outcome === "conflict" ? job.conflicts + 1 : 0;
    } catch (error) {
      if (!stopped.signal.aborted) onFailure(error);
      return true;
    }
    await rested(performance.now() - began);
    return job.conflicts === ATTEMPTS;
  }

  return {
    from,
    release,
    materialize(workspace, databaseId, propertyIds) {
      if (stopped.signal.aborted) return;
      const queue = queues.get(workspace) ?? new Map<string, Job>();
      for (const propertyId of propertyIds) {
        const name = `${databaseId}\n${propertyId}`;
        if (queue.has(name)) continue;
        queue.set(name, { workspace, databaseId, propertyId, after: null, conflicts: 0 });
        queues.set(workspace, queue);
      }
      if (queues.size > 0) running ??= work();
    },
    async settled() {
      while (running !== undefined) await running;
    },
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

/** Rests as long as the work took, so that others come first. */
async function rested(took: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.min(took, LONGEST_REST)));
}

type Outcome = "committed" | "conflict" | "ended";

/** A step of a job, and what it works on. */
interface Step {
  readonly job: Job;
  readonly database: Database;
  /** How often something had been undone before anything was read. */
  readonly since: number;
}

interface StepOptions extends MaterializerOptions {
  /** Names this process. */
  readonly owner: string;
}

/** Creates the function that does the next step of a job. */
function createStep(options: StepOptions): (job: Job) => Promise<Outcome> {
  const { databases, commits, release, now, owner } = options;
  return async (job) => {
    const since = commits.state.undone();
    const database = await databases.find(job.workspace, job.databaseId);
    if (database === undefined || database.node.trashRoot !== null) return "ended";
    const step = { job, database, since };
    const { materialized = [], properties } = database.doc;
    const entry = materialized.find(({ propertyId }) => propertyId === job.propertyId);
    const definition = definitionOf(properties, job.propertyId);
    const lease = { by: owner, until: now() + LEASE };
    if (entry === undefined) {
      if (definition === undefined || materialized.length >= MOST_MATERIALIZED) return "ended";
      job.after = null;
      const begun = { propertyId: job.propertyId, definition, release, state: "filling" } as const;
      return await save(options, step, { ...begun, lease: { ...lease, after: null } });
    }
    if (entry.state !== "dropped" && entry.release !== release) {
      return await save(options, step, dropped(entry));
    }
    if (entry.state === "complete") return "ended";
    if (entry.lease?.by === owner) {
      if (entry.lease.until - now() > LEASE / 2) return await doSlice(options, step, entry);
    } else {
      if (entry.lease !== undefined && entry.lease.until > now()) return "ended";
      job.after = entry.lease?.after ?? null;
    }
    return await save(options, step, { ...entry, lease: { ...lease, after: job.after } });
  };
}

/** Replaces what the database says of the formula; undefined removes it. Its time of edit stays. */
async function save(
  options: StepOptions,
  step: Step,
  entry: MaterializedFormula | undefined,
): Promise<Outcome> {
  const { job: { propertyId }, database: { node, doc } } = step;
  const others = (doc.materialized ?? []).filter((one) => one.propertyId !== propertyId);
  const { materialized: _, ...bare } = doc;
  const materialized = entry === undefined ? others : [...others, entry];
  return await commit(options, step, [{
    op: "update",
    id: node.id,
    version: node.version,
    edit: { time: node.editedTime, by: node.editedBy },
    ...contentOf(materialized.length === 0 ? bare : { ...bare, materialized }),
  }]);
}

/** Fills or deletes the cells of the next rows; behind the last one, ends the job or its part. */
async function doSlice(
  options: StepOptions,
  step: Step,
  entry: MaterializedFormula,
): Promise<Outcome> {
  const { store, slice = SLICE } = options;
  const { job, database } = step;
  const { workspace, databaseId, propertyId } = job;
  const places = await store.rowPlaces(workspace, { databaseId, after: job.after, limit: slice });
  const last = places.at(-1);
  if (last === undefined) {
    const { lease: _, ...ended } = entry;
    const isFilled = entry.state === "filling";
    return await save(options, step, isFilled ? { ...ended, state: "complete" } : undefined);
  }
  const rows = await cellsOf(options, step, { places, entry });
  const outcome = await commit(options, step, [
    { op: "expect", id: databaseId, version: database.node.version },
    { op: "materialize", databaseId, propertyId: materializedId(propertyId), rows },
  ]);
  if (outcome === "committed") job.after = last;
  return outcome;
}

interface SlicePart {
  readonly places: readonly RowPlace[];
  readonly entry: MaterializedFormula;
}

async function cellsOf(
  { store }: StepOptions,
  { job: { workspace, propertyId }, database }: Step,
  { places, entry }: SlicePart,
): Promise<MaterializedCell[]> {
  const property = database.doc.properties.find(({ id }) => id === propertyId);
  const rest = createBackgroundRest();
  const rows: MaterializedCell[] = [];
  for await (const nodes of nodePortions(store, workspace, places.map(({ id }) => id))) {
    for (const node of nodes) {
      const isFilled = entry.state === "filling" && property !== undefined;
      const cell = isFilled
        ? materializedCell(database, { node, values: parseRowDoc(node.doc).values }, property)
        : null;
      rows.push({ id: node.id, version: node.version, cell });
      await rest();
    }
  }
  return rows;
}

/** Commits and waits until it is on the disk, because what follows builds on it. */
async function commit(
  { commits }: StepOptions,
  { job: { workspace }, since }: Step,
  changes: readonly Change[],
): Promise<Outcome> {
  const { outcome, durable } = await commits.apply(workspace, changes, {
    receipt: undefined,
    since,
  });
  await durable;
  return outcome;
}
