/**
 * The `Content-Disposition` of a file: browsers display it or save it.
 *
 * @module
 */
import { create } from "content-disposition";

/** Types that a browser displays without running code. It saves files of other types. */
const SHOWN =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf|text\/plain)(?: *;|$)/i;

/** The `Content-Disposition` of a file (RFC 6266, RFC 8187). */
export function dispositionOf(
  { filename, contentType }: { readonly filename: string; readonly contentType: string },
): string {
  return create(filename, { type: SHOWN.test(contentType) ? "inline" : "attachment" });
}
