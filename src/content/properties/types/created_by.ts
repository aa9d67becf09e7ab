/**
 * Who created a row.
 *
 * @module
 */
import { rowUserKind } from "../shared/row_members.ts";

export const createdBy = rowUserKind("createdBy");
