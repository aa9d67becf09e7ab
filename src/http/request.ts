/**
 * The bounds of a request, and the first step of every one: what does not keep them is refused
 * before anything reads it.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";

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
export interface ParsedRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark; `""` where there is none. */
  readonly query: string;
  readonly headers: ReadonlyMap<string, string>;
}

const METHODS = ["GET", "POST", "PATCH", "DELETE", "HEAD", "PUT", "OPTIONS"];
const AUTHORITY = /^(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?$/;

/** Admits a request or refuses its form (RFC 9112 section 3.2, RFC 9110 section 4.2.3). */
export type ParseRequest = (request: Request) => ParsedRequest;

/**
 * Admission to one server.
 *
 * Deno lets any `Host` into the URL, so the path is cut only behind an authority that was checked.
 * `fallbackAuthority` is what Deno puts into the URL of a request that has no `Host`.
 */
export function createRequestParser(fallbackAuthority: string | undefined): ParseRequest {
  // Clients name one origin, so that of the last request that was sound is mostly that of the next.
  let origin: Origin | undefined;
  return (request) => {
    const method = knownMethod(request.method);
    const url = request.url;
    if (url.length > LIMITS.urlLength) {
      throw new AppError("uri_too_long", `URL is longer than ${LIMITS.urlLength} characters`);
    }
    const headers = readHeaders(request.headers);
    const host = headers.get("host");
    if (origin === undefined || host !== origin.host || !url.startsWith(origin.start)) {
      origin = readOrigin(url, host, fallbackAuthority);
    }
    if (url.includes("#")) throw new AppError("invalid_request", "Request target has a fragment");
    const slash = origin.start.length - 1;
    const question = url.indexOf("?", slash);
    return question < 0
      ? { method, path: url.slice(slash), query: "", headers }
      : { method, path: url.slice(slash, question), query: url.slice(question + 1), headers };
  };
}

/** Where a request goes, as its URL and its `Host` say it alike. */
interface Origin {
  /** Of the URL, up to the first slash of the path and with it. */
  readonly start: string;
  readonly host: string | undefined;
}

function readOrigin(
  url: string,
  host: string | undefined,
  fallbackAuthority: string | undefined,
): Origin {
  const start = schemeEnd(url);
  const slash = url.indexOf("/", start);
  if (slash < 0) throw new AppError("invalid_request", "Request target has no path");
  checkAuthority(url.slice(start, slash), host, fallbackAuthority);
  return { start: url.slice(0, slash + 1), host };
}

// Our own text for it: that of a request is another each time, and has to be hashed to be looked up.
function knownMethod(method: string): string {
  const known = METHODS[METHODS.indexOf(method)];
  if (known === undefined) throw new AppError("not_implemented", "Unknown method");
  return known;
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
