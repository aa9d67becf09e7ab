/**
 * The description of a property or an option.
 *
 * @module
 */
import * as v from "valibot";
import { LIMITS } from "../../values/limits.ts";

export const descriptionInput = v.pipe(
  v.nullable(v.pipe(v.string(), v.maxLength(LIMITS.propertyDescription))),
  v.description("What the property or option is for. Null clears it."),
);
