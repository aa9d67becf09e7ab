/**
 * The functions that apply changes, one for each kind.
 *
 * @module
 */
import type { Change } from "../../../content/schema/node.ts";
import type { Session } from "../query.ts";

type Insert = Extract<Change, { readonly op: "insert" }>;
type Reshape = Extract<Change, { readonly op: "reshape" }>;

/** A change; inserts that follow each other are one. */
export type Step =
  | Exclude<Change, Insert | Reshape>
  /** Tells the id of each row that is rewritten. */
  | (Reshape & { readonly onRewritten?: (id: string) => void })
  | { readonly op: "inserts"; readonly changes: Insert[] };

/** The step of this kind. */
export type StepOf<Op extends Step["op"]> = Extract<Step, { readonly op: Op }>;

/**
 * Applies one step: sends its statements before it first waits, so that the next one's follow them.
 * Rejects with `Unexpected` where the stored state is not as the step says.
 */
export type Applier<Op extends Step["op"]> = (
  session: Session,
  workspace: string,
  step: StepOf<Op>,
) => Promise<void>;

/** One way to apply each step. */
export type Appliers = { readonly [Op in Step["op"]]: Applier<Op> };
