/**
 * The functions that apply changes, one for each kind.
 *
 * @module
 */
import type { Change } from "../../../content/schema/node.ts";

/** The change of this kind. */
export type ChangeOf<Op extends Change["op"]> = Extract<Change, { readonly op: Op }>;

/** Applies one change; throws `Unexpected` if the stored state is not what the change expects. */
export type Applier<Op extends Change["op"]> = (workspace: string, change: ChangeOf<Op>) => void;

/** One way to apply each change. */
export type Appliers = { readonly [Op in Change["op"]]: Applier<Op> };
