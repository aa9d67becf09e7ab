/**
 * Which paths can be judged: those that every server reads alike.
 *
 * @module
 */

const PATH = /^\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*$/;
// Servlet containers cut parameters off, so that `/..;a/` is `/../`.
const DOT_OR_EMPTY_SEGMENT = /\/(?:\.{0,2}(?:;[^/]*)?(?=\/)|\.{1,2}(?:;[^/]*)?$|;[^/]*$)/;
const NEEDLESS_OR_UNSAFE = /[A-Za-z0-9\-._~/\\\p{Cc}]/u;

/**
 * Returns whether a raw path has one meaning: no empty or dot segment, no character that must be
 * escaped, and no escape that servers undo at different times (RFC 3986 section 6.2.2). A slash at the
 * end is allowed.
 */
export function isSafePath(path: string): boolean {
  if (!PATH.test(path) || DOT_OR_EMPTY_SEGMENT.test(path)) return false;
  return !path.includes("%") || (path.match(/(?:%[0-9A-Fa-f]{2})+/g) ?? []).every(isNeeded);
}

function isNeeded(escapes: string): boolean {
  try {
    return !NEEDLESS_OR_UNSAFE.test(decodeURIComponent(escapes));
  } catch {
    return false;
  }
}
