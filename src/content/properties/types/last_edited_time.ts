/**
 * When a row was last edited.
 *
 * @module
 */
import { rowTimeKind } from "../shared/row_members.ts";

export const lastEditedTime = rowTimeKind("editedTime");
