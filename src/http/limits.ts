/**
 * The bounds of a request, and the first step of every one: what does not keep them is refused
 * before anything reads it.
 *
 * @module
 */
import { AppError } from "../errors.ts";

export const LIMITS = {
  /** Characters of the request target and its origin. */
  urlLength: 8_192,
  headerFields: 100,
  headerBytes: 16_384,
  bodyBytes: 1_048_576,
  /** Milliseconds for a body to arrive. */
  bodyTime: 10_000,
  /** Of a body that is taken as it comes, this many bytes must come in each so many milliseconds. */
  uploadPaceBytes: 65_536,
  uploadPaceTime: 10_000,
  /** Milliseconds for a whole request, unless its body is taken as it comes. */
  requestTime: 30_000,
  /** Levels of arrays and objects in a body. */
  jsonDepth: 64,
  /** Names in one object of a body. */
  jsonNames: 1_000,
  /** Bytes up to which a body is told all of its faults. */
  explainedBytes: 65_536,
  idempotencyKeyLength: 255,
} as const;

/** A request whose form is sound: its raw path and query, cut once, and its fields by name. */
export interface Admitted {
  readonly method: string;
  readonly path: string;
  /** Without the question mark; `""` where there is none. */
  readonly query: string;
  readonly headers: ReadonlyMap<string, string>;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"]);
const AUTHORITY = /^(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?$/;

/**
 * Admits a request or refuses its form (RFC 9112 section 3.2, RFC 9110 section 4.2.3).
 *
 * Deno lets any `Host` into the URL, so the path is cut only behind an authority that was checked.
 * `fallbackAuthority` is what Deno puts into the URL of a request that has no `Host`.
 */
export function admit(request: Request, fallbackAuthority: string | undefined): Admitted {
  const method = request.method;
  if (!METHODS.has(method)) throw new AppError("not_implemented", "Unknown method");
  const url = request.url;
  if (url.length > LIMITS.urlLength) {
    throw new AppError("uri_too_long", `URL is longer than ${LIMITS.urlLength} characters`);
  }
  const headers = readHeaders(request.headers);
  const start = schemeEnd(url);
  const slash = url.indexOf("/", start);
  if (slash < 0) throw new AppError("invalid_request", "Request target has no path");
  checkAuthority(url.slice(start, slash), headers.get("host"), fallbackAuthority);
  if (url.includes("#")) throw new AppError("invalid_request", "Request target has a fragment");
  const question = url.indexOf("?", slash);
  return question < 0
    ? { method, path: url.slice(slash), query: "", headers }
    : { method, path: url.slice(slash, question), query: url.slice(question + 1), headers };
}

function schemeEnd(url: string): number {
  if (url.startsWith("http://")) return 7;
  if (url.startsWith("https://")) return 8;
  throw new AppError("invalid_request", "Request target has an unknown scheme");
}

function checkAuthority(
  authority: string,
  host: string | undefined,
  fallback: string | undefined,
): void {
  // HTTP/2 has no Host and names its authority in the URL.
  const named = host ?? (authority === fallback ? "" : authority);
  if (!isAuthority(named)) throw new AppError("invalid_request", "Host is missing or malformed");
  // The two differ where the target is absolute, and in case where Deno's URL parser saw it.
  if (named !== authority && !sameAuthority(named, authority)) {
    throw new AppError("invalid_request", "Host differs from the request target's authority");
  }
}

function isAuthority(text: string): boolean {
  const match = AUTHORITY.exec(text);
  return match !== null && Number(match[1] ?? 0) <= 65_535;
}

function sameAuthority(host: string, authority: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/:(?:80|443)$/, "");
  return plain(host) === plain(authority);
}

function readHeaders(headers: Headers): Map<string, string> {
  const fields = new Map<string, string>();
  let bytes = 0;
  headers.forEach((value, name) => {
    bytes += name.length + value.length;
    fields.set(name, value);
  });
  if (fields.size > LIMITS.headerFields || bytes > LIMITS.headerBytes) {
    throw new AppError("headers_too_large", "Header fields are too many or too large");
  }
  return fields;
}
