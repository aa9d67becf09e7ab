/**
 * The limits of a request, and the first step of every request: parsing its target and header
 * fields.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";

export const LIMITS = {
  /** Maximum length of the absolute URL, in characters. */
  urlLength: 8_192,
  headerFields: 100,
  headerBytes: 16_384,
  bodyBytes: 1_048_576,
  /** Milliseconds for a body to arrive. */
  bodyTime: 10_000,
  /** Bodies of more than `explainedBytes` of one caller that arrive at a time. */
  largeBodies: 32,
  /** Further ones that wait, for `bodyTime` at most, which begins anew when they go on. */
  largeBodiesWaiting: 96,
  /** Large bodies of all callers that arrive at a time. */
  largeBodiesInAll: 256,
  /**
   * A streamed body must bring at least `uploadPaceBytes` in every `uploadPaceTime` milliseconds.
   */
  uploadPaceBytes: 65_536,
  uploadPaceTime: 10_000,
  /** Bytes of long answers that one caller has not read to their end, and of all callers. */
  unreadBytes: 67_108_864,
  unreadBytesInAll: 268_435_456,
  /** Milliseconds without reading after which an answer is broken off if there are more bytes. */
  unreadTime: 30_000,
  /** Milliseconds for a whole request, unless its body is streamed. */
  requestTime: 30_000,
  /** Lines of a body of JSON Lines. */
  bodyLines: 100,
  /** Levels of arrays and objects in a body. */
  jsonDepth: 64,
  /** Names in one object of a body. */
  jsonNames: 1_000,
  /** Up to this many bytes, all issues of a body are reported; beyond, only the first. */
  explainedBytes: 65_536,
  idempotencyKeyLength: 255,
} as const;

/** The parts of a request that the service reads; it may have come to another process. */
export type HttpRequest = Pick<Request, "method" | "url" | "headers" | "body">;

/** A well-formed request: method, raw path and query, and header fields by name. */
export interface ParsedRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark; `""` if there is none. */
  readonly query: string;
  readonly headers: ReadonlyMap<string, string>;
}

const METHODS = ["GET", "POST", "PATCH", "DELETE", "HEAD", "PUT", "OPTIONS"];
const AUTHORITY = /^(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?$/;

/** Parses a request; throws if it is malformed (RFC 9112 section 3.2, RFC 9110 section 4.2.3). */
export type ParseRequest = (request: HttpRequest) => ParsedRequest;

/**
 * Creates the request parser of a server.
 *
 * Deno builds the URL from any `Host`, so the authority is checked before the path is taken from
 * it. `fallbackAuthority` is what Deno puts into the URL of a request without `Host`.
 */
export function createRequestParser(fallbackAuthority: string | undefined): ParseRequest {
  // Clients use one origin, so that of the last valid request is mostly that of the next one.
  let origin: Origin | undefined;
  return (request) => {
    const method = internMethod(request.method);
    const { url } = request;
    if (url.length > LIMITS.urlLength) {
      throw new AppError("uri_too_long", `URL is longer than ${LIMITS.urlLength} characters`);
    }
    const headers = readHeaders(request.headers);
    const host = headers.get("host");
    if (origin === undefined || host !== origin.host || !url.startsWith(origin.prefix)) {
      origin = readOrigin(url, host, fallbackAuthority);
    }
    const slash = origin.prefix.length - 1;
    if (url.includes("#")) throw new AppError("invalid_request", "Request target has a fragment");
    const question = url.indexOf("?", slash);
    return question < 0
      ? { method, path: url.slice(slash), query: "", headers }
      : { method, path: url.slice(slash, question), query: url.slice(question + 1), headers };
  };
}

/** A checked origin of requests. */
interface Origin {
  /** The URL up to and including the first slash of the path. */
  readonly prefix: string;
  readonly host: string | undefined;
}

function readOrigin(
  url: string,
  host: string | undefined,
  fallbackAuthority: string | undefined,
): Origin {
  const start = authorityStart(url);
  const slash = url.indexOf("/", start);
  if (slash < 0) throw new AppError("invalid_request", "Request target has no path");
  checkAuthority(url.slice(start, slash), host, fallbackAuthority);
  return { prefix: url.slice(0, slash + 1), host };
}

// Our own string: that of a request is a new one each time, which lookups would have to hash.
function internMethod(method: string): string {
  const ours = METHODS[METHODS.indexOf(method)];
  if (ours === undefined) throw new AppError("not_implemented", "Unknown method");
  return ours;
}

function authorityStart(url: string): number {
  if (url.startsWith("http://")) return 7;
  if (url.startsWith("https://")) return 8;
  throw new AppError("invalid_request", "Request target has an unknown scheme");
}

function checkAuthority(
  authority: string,
  host: string | undefined,
  fallback: string | undefined,
): void {
  // HTTP/2 has no Host; the URL holds its `:authority`.
  const named = host ?? (authority === fallback ? "" : authority);
  if (!isAuthority(named)) throw new AppError("invalid_request", "Host is missing or malformed");
  // They may differ if the target is absolute, and in case, because Deno's URL parser lowers it.
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
