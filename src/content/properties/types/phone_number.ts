/**
 * A phone number, in any notation.
 *
 * @module
 */
import { LIMITS } from "../../values/limits.ts";
import { plainTextKind } from "../shared/plain_text.ts";

export const phoneNumber = plainTextKind(LIMITS.phoneNumber);
