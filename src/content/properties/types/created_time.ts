/**
 * When a row was created.
 *
 * @module
 */
import { rowTimeKind } from "../shared/row_members.ts";

export const createdTime = rowTimeKind("createdTime");
