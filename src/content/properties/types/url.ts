/**
 * The address of a web page.
 *
 * @module
 */
import { LIMITS } from "../../values/limits.ts";
import { plainTextKind } from "../shared/plain_text.ts";

export const url = plainTextKind(LIMITS.url);
