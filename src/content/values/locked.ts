/**
 * The lock of a page or database, in replies.
 *
 * @module
 */
import * as v from "valibot";

export const locked = v.exactOptional(v.pipe(
  v.literal(true),
  v.description("Present if a client of `/v1` locked the object, which changes nothing else."),
));
