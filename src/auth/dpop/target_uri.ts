/**
 * The target URI that a DPoP proof names (`htu`).
 *
 * @module
 */

const URI = /^[\x21-\x5b\x5d-\x7e]+$/;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/**
 * Returns whether a URI names this path of an origin, without query and fragment (RFC 9449 section
 * 4.3).
 *
 * Both are normalized by syntax and scheme first (RFC 3986 sections 6.2.2 and 6.2.3). `origin` is
 * in the form of `URL.origin`, `path` as it was sent.
 */
export function isTargetUri(uri: string, origin: string, path: string): boolean {
  return uri === origin + path || (URI.test(uri) && isEquivalent(uri, origin, path));
}

function isEquivalent(uri: string, origin: string, path: string): boolean {
  const url = URL.parse(uri);
  return url !== null && url.username === "" && url.password === "" && url.origin === origin &&
    normalizePercents(url.pathname) === normalizePercents(path);
}

/** Decodes unreserved characters, and writes the other ones in upper case. */
function normalizePercents(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (encoded, digits: string) => {
    const character = String.fromCharCode(parseInt(digits, 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
}
