/**
 * Commits in slices: each is a transaction of some milliseconds, and others may write in between.
 *
 * The transaction of each slice stores how far the commit has come, so that one that was interrupted
 * is finished later. Until then nobody may write to its workspace, and readers of it need a snapshot
 * from before the first slice.
 *
 * @module
 */
import type { Change } from "../../content/schema/node.ts";
import type { CommitOutcome, Receipt } from "../port.ts";
import { type ChangeSteps, type Progress, STEPPED_OPS } from "./changes/appliers.ts";
import { type ChangeWriter, createChangeWriter } from "./changes/change_writer.ts";
import { ConflictError } from "./changes/expectation.ts";
import type { Connection } from "./connection.ts";
import { isUniqueViolation } from "./failures.ts";
import { type Query, query } from "./query.ts";

/** `unfinished`: there is more to do. */
export type SliceOutcome = CommitOutcome | "unfinished";

type CommitArguments = [workspace: string, changes: readonly Change[], receipt?: Receipt];

export interface SlicedCommits {
  /** Makes a commit in one transaction; `unfinished` if that takes long: then nothing is written. */
  attempt(...commit: CommitArguments): SliceOutcome;
  /** Makes the first slice of a commit. Decides whether it is a conflict. */
  begin(...commit: CommitArguments): SliceOutcome;
  /** Makes the next slice of the commit of a workspace; a longer one if nobody else writes. */
  goOn(workspace: string, isAlone?: boolean): SliceOutcome;
}

/** How far a commit has come: all changes are begun, and in their order those before one are done. */
interface Position {
  /** The index of that change. */
  readonly change: number;
  readonly progress: Progress;
}

type Positions = Generator<Position, void, void>;

interface Running {
  readonly positions: Positions;
  readonly last: string;
}

/** A change that was begun. */
interface Begun {
  readonly index: number;
  readonly op: Change["op"];
  readonly steps: ChangeSteps;
}

export interface SliceOptions {
  /** Milliseconds after which an attempt gives up. */
  readonly patience?: number;
  /** Milliseconds after which a slice ends. */
  readonly time?: number;
}

/** A commit that takes no longer needs no snapshot. */
const PATIENCE = 50;
/** The last words of a slice are written in addition. */
const TIME = 50;
/** How much longer a slice is if nobody else writes: each adds a segment to the index of words. */
const ALONE = 4;

/** Ends an attempt. */
class TooLongError extends Error {}

/** Prepares the statements that commit in slices. */
export function createSlicedCommits(
  connection: Connection,
  { patience = PATIENCE, time = TIME }: SliceOptions = {},
): SlicedCommits {
  const writer = createChangeWriter(connection);
  const journal = createJournal(connection);
  const { run, positionsAt } = createSlices(connection, writer, journal);
  return {
    attempt: (...commit) =>
      orTooLong(() =>
        run(commit[0], {
          positions: () => start(writer, commit),
          most: patience,
          save: (position) => {
            if (position !== undefined) throw new TooLongError();
          },
        })
      ),
    begin: (...commit) =>
      orConflict(() =>
        run(commit[0], {
          positions: () => start(writer, commit),
          most: time,
          save: (position) => {
            if (position !== undefined) journal.begin(commit[0], commit[1], position);
          },
        })
      ),
    goOn: (workspace, isAlone = false) =>
      run(workspace, {
        positions: () => {
          const stored = journal.position(workspace);
          // Another process that opens the file meanwhile makes slices, too.
          return stored === undefined ? undefined : positionsAt(workspace, stored);
        },
        most: isAlone ? ALONE * time : time,
        save: (position) => {
          if (position === undefined) journal.end(workspace);
          else journal.move(workspace, position);
        },
      }),
  };
}

/** Does the first steps of all changes, which may conflict. The positions do all others. */
function start(
  { begin, keep }: ChangeWriter,
  [workspace, changes, receipt]: CommitArguments,
): Positions {
  keep(workspace, receipt);
  const begun = changes.flatMap((change, index): Begun[] => {
    const steps = begin(workspace, change);
    const isDone = steps === undefined || steps.next().done === true;
    return isDone ? [] : [{ index, op: change.op, steps }];
  });
  return positionsOf(begun);
}

/** The work of a slice. */
interface Slice {
  /** Returns the positions from its start on; undefined if there is nothing to do. */
  readonly positions: () => Positions | undefined;
  /** Milliseconds that it may take. */
  readonly most: number;
  /** Keeps the position at its end; undefined behind all. */
  readonly save: (position: string | undefined) => void;
}

interface Slices {
  /** Runs a slice as one transaction. */
  run(workspace: string, slice: Slice): SliceOutcome;
  /** Returns the positions behind one that the journal has. */
  positionsAt(workspace: string, stored: string): Positions;
}

function createSlices(
  { transaction }: Connection,
  { search, begin }: ChangeWriter,
  journal: Journal,
): Slices {
  // The commits of this process, with the end of their last slice.
  const running = new Map<string, Running>();
  return {
    run(workspace, { positions, most, save }) {
      let next: Running | undefined;
      try {
        return transaction(() => {
          search.begin();
          const steps = positions();
          if (steps === undefined) return "committed";
          const position = runFor(most, steps, () => {
            if (!search.isFull()) return;
            search.flush(workspace);
            search.begin();
          });
          // Unlike any other, so that a process notices the slices of another one.
          const last = position && JSON.stringify({ ...position, slice: crypto.randomUUID() });
          save(last);
          search.flush(workspace);
          next = last === undefined ? undefined : { positions: steps, last };
          return last === undefined ? "committed" : "unfinished";
        });
      } catch (error) {
        // The steps are ahead of the database.
        next = undefined;
        throw error;
      } finally {
        if (next === undefined) running.delete(workspace);
        else running.set(workspace, next);
      }
    },
    positionsAt(workspace, stored) {
      const own = running.get(workspace);
      if (own?.last === stored) return own.positions;
      // Sound because the journal wrote it.
      const position = JSON.parse(stored) as Position;
      const begun = journal.changes(workspace).flatMap((change, index): Begun[] => {
        if (!STEPPED.has(change.op)) return [];
        const from = index === position.change ? position.progress : {};
        const steps = begin(workspace, change, from);
        return steps === undefined ? [] : [{ index, op: change.op, steps }];
      });
      return positionsOf(begun, position.change);
    },
  };
}

/** Does what is left of changes, beginning with one of them. */
function* positionsOf(begun: readonly Begun[], first?: number): Positions {
  const ordered = begun.toSorted((a, b) => rankOf(a) - rankOf(b));
  const start = Math.max(0, ordered.findIndex(({ index }) => index === first));
  for (const { index, steps } of ordered.slice(start)) {
    for (const progress of steps) yield { change: index, progress };
  }
}

/** Updates go last: they write the words of rows as other changes leave them. */
function rankOf({ op }: Begun): number {
  return op === "update" ? 1 : 0;
}

/**
 * Runs steps for so many milliseconds, with something to do behind each; returns the last position, or
 * undefined at the end.
 */
function runFor(most: number, positions: Positions, behind: () => void): Position | undefined {
  const end = performance.now() + most;
  for (;;) {
    const { done, value } = positions.next();
    if (done === true) return undefined;
    behind();
    if (performance.now() >= end) return value;
  }
}

function orTooLong(work: () => SliceOutcome): SliceOutcome {
  try {
    return orConflict(work);
  } catch (error) {
    if (error instanceof TooLongError) return "unfinished";
    throw error;
  }
}

function orConflict(work: () => SliceOutcome): SliceOutcome {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConflictError || isUniqueViolation(error)) return "conflict";
    throw error;
  }
}

/** Returns whether a commit may reach any number of nodes, so that slices may be needed. */
export function maySlice(changes: readonly Change[]): boolean {
  return changes.some(({ op }) => STEPPED.has(op));
}

const STEPPED: ReadonlySet<Change["op"]> = new Set(STEPPED_OPS);

/** The commits that are not finished, at most one of each workspace, with their position as JSON. */
interface Journal {
  begin(workspace: string, changes: readonly Change[], position: string): void;
  move(workspace: string, position: string): void;
  end(workspace: string): void;
  position(workspace: string): string | undefined;
  changes(workspace: string): readonly Change[];
}

function createJournal({ db }: Pick<Connection, "db">): Journal {
  const commits = {
    insert: db.prepare("INSERT INTO sliced_commits (workspace_id, changes) VALUES (?, ?)"),
    remove: db.prepare("DELETE FROM sliced_commits WHERE workspace_id = ?"),
    changes: query<[string]>(db, "SELECT changes FROM sliced_commits WHERE workspace_id = ?"),
  };
  const positions = {
    save: db.prepare(`
      INSERT INTO sliced_positions (workspace_id, position) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET position = excluded.position
    `),
    remove: db.prepare("DELETE FROM sliced_positions WHERE workspace_id = ?"),
    get: query<[string]>(db, "SELECT position FROM sliced_positions WHERE workspace_id = ?"),
  };
  return {
    begin(workspace, changes, position) {
      commits.insert.run(workspace, JSON.stringify(changes));
      positions.save.run(workspace, position);
    },
    move: (workspace, position) => void positions.save.run(workspace, position),
    end(workspace) {
      commits.remove.run(workspace);
      positions.remove.run(workspace);
    },
    position: (workspace) => positions.get.get(workspace)?.[0],
    changes(workspace) {
      const [text = "[]"] = commits.changes.get(workspace) ?? [];
      // Sound because `begin` wrote it, and changes are plain data.
      return JSON.parse(text) as readonly Change[];
    },
  };
}

/** Returns the workspaces with a commit that is not finished. */
export function unfinishedIn({ db }: Pick<Connection, "db">): string[] {
  const list: Query<[string]> = query(
    db,
    "SELECT workspace_id FROM sliced_positions ORDER BY workspace_id",
  );
  return list.all().map(([workspace]) => workspace);
}

/**
 * Finishes all commits that were interrupted, before anybody reads what they have written so far.
 * `onUnfinished` is called for each one that cannot be finished.
 */
export function finishCommits(
  connection: Connection,
  onUnfinished?: (workspace: string, reason: unknown) => void,
): void {
  const unfinished = unfinishedIn(connection);
  if (unfinished.length === 0) return;
  const { goOn } = createSlicedCommits(connection);
  for (const workspace of unfinished) {
    try {
      while (goOn(workspace) === "unfinished");
    } catch (error) {
      onUnfinished?.(workspace, error);
    }
  }
}
