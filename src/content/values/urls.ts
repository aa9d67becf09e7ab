/**
 * URLs in requests. The service never fetches them.
 *
 * @module
 */
import * as v from "valibot";
import { LIMITS } from "./limits.ts";

/** A URL in a request. It is stored and returned unchanged. */
export const urlInput = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.url));

/** An external file in a request. */
export const externalInput = v.strictObject({ url: urlInput });

/** An external file in responses. */
export const external = v.object({ url: v.string() });
