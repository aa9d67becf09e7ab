/**
 * Who last edited a row.
 *
 * @module
 */
import { rowUserKind } from "../shared/row_members.ts";

export const lastEditedBy = rowUserKind("editedBy");
