/**
 * The functions that apply changes, one for each kind.
 *
 * @module
 */
import type { Change } from "../../../content/schema/node.ts";
import type { SizedNode } from "../../batches.ts";
import type { Session } from "../query.ts";

type Insert = Extract<Change, { readonly op: "insert" }>;
type Reshape = Extract<Change, { readonly op: "reshape" }>;

/** A change. Consecutive inserts form one step. */
export type Step =
  | Exclude<Change, Insert | Reshape>
  /** Called with each row that has other texts now. */
  | (Reshape & { readonly onNewTexts?: (row: SizedNode) => void })
  | { readonly op: "inserts"; readonly changes: Insert[] };

/** The step of this kind. */
export type StepOf<Op extends Step["op"]> = Extract<Step, { readonly op: Op }>;

/**
 * Applies one step. Sends its statements before it first awaits, so that those of the next step can
 * follow at once. Rejects with `ConflictError` if the stored state is not what the step expects.
 */
export type Applier<Op extends Step["op"]> = (
  session: Session,
  workspace: string,
  step: StepOf<Op>,
) => Promise<void>;

/** One way to apply each step. */
export type Appliers = { readonly [Op in Step["op"]]: Applier<Op> };
