/**
 * The functions that apply changes, one for each kind.
 *
 * @module
 */
import type { Change } from "../../../content/schema/node.ts";
import type { RowRef } from "../row_lister.ts";

/** The change of this kind. */
export type ChangeOf<Op extends Change["op"]> = Extract<Change, { readonly op: Op }>;

/** Applies one change; throws `ConflictError` if the stored state is not what the change expects. */
export type Applier<Op extends Change["op"]> = (workspace: string, change: ChangeOf<Op>) => void;

/** The kinds of changes that may reach any number of nodes. */
export type SteppedOp = typeof STEPPED_OPS[number];

export const STEPPED_OPS = [
  ...["update", "move", "trash", "restore", "reshape"] as const,
  ...["writeCells", "deleteCells", "link", "unlink"] as const,
  ...["countAllLinks", "countAllRows"] as const,
] as const satisfies readonly Change["op"][];

/** How far a change has come, as plain data. */
export interface Progress {
  /** The last row that is done, of a change of all rows. */
  readonly after?: RowRef;
  /** Number of rows that are done. */
  readonly rows?: number;
  /** Number of blocks, comments or pages whose words are done. */
  readonly words?: number;
}

/** Steps of some milliseconds; a transaction may end at each `yield`. */
export type ChangeSteps = Generator<Progress, void, void>;

/**
 * Applies one change in steps. The first does all that may throw `ConflictError`, and nothing that
 * depends on the further steps of an earlier change. With `from`, the progress at the end of a
 * transaction, only what was left then is done.
 */
export type StepApplier<Op extends Change["op"]> = (
  workspace: string,
  change: ChangeOf<Op>,
  from?: Progress,
) => ChangeSteps;

/** One way to apply each change. */
export type Appliers = {
  readonly [Op in Change["op"]]: Op extends SteppedOp ? StepApplier<Op> : Applier<Op>;
};
