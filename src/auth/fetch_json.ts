import * as v from "valibot";
import { readBoundedText } from "../shared/bounded_body.ts";

const MAX_BYTES = 64 * 1024;

/** Thrown if the issuer responds with a status other than 200. */
export class UnexpectedStatus extends Error {
  override name = "UnexpectedStatus";

  /** `code` is the OAuth error in the body (RFC 6749 section 5.2), if there is one. */
  constructor(url: string, readonly status: number, readonly code?: string) {
    super(`Expected status 200 from "${url}": ${status}${code === undefined ? "" : ` ${code}`}`);
  }
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Fetches a JSON document from the issuer.
 *
 * Follows no redirects and reads 64 KiB at most. Rejects on every failure; `init.signal` limits the
 * whole exchange.
 */
export async function fetchJson(url: string, init: RequestInit, fetch: Fetch): Promise<unknown> {
  const response = await fetch(url, { ...init, redirect: "error" });
  if (response.status !== 200) {
    throw new UnexpectedStatus(url, response.status, await readErrorCode(response));
  }
  return parseIssuerJson(await readBoundedText(response.body, MAX_BYTES), url);
}

const oauthError = v.object({ error: v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/)) });

/** Returns the OAuth error code of a rejected request; undefined if its body has none. */
async function readErrorCode(response: Response): Promise<string | undefined> {
  try {
    const body = v.safeParse(
      oauthError,
      JSON.parse(await readBoundedText(response.body, MAX_BYTES)),
    );
    return body.success ? body.output.error : undefined;
  } catch {
    return undefined;
  }
}

/** Parses JSON of the issuer; the error does not quote its content, unlike V8's. */
export function parseIssuerJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`Expected JSON from "${source}"`);
  }
}
