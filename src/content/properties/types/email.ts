/**
 * An e-mail address.
 *
 * @module
 */
import { LIMITS } from "../../values/limits.ts";
import { plainTextKind } from "../shared/plain_text.ts";

export const email = plainTextKind(LIMITS.email);
