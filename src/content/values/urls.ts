/**
 * Addresses that a client writes; the service never fetches one.
 *
 * @module
 */
import * as v from "valibot";
import { LIMITS } from "./limits.ts";

/** An address as a client writes it: kept and answered as given. */
export const urlInput = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.url));

/** Something that lies elsewhere, as a client writes it. */
export const externalInput = v.strictObject({ url: urlInput });

/** Something that lies elsewhere, as it is answered. */
export const external = v.object({ url: v.string() });
