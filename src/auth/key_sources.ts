/**
 * Sources of the issuer's keys: a file, a URL, or the issuer's metadata.
 *
 * @module
 */
import * as v from "valibot";
import { type Fetch, fetchJson, parseIssuerJson } from "./fetch_json.ts";
import { urlIssue } from "./urls.ts";
import { usableKeys } from "./usable_keys.ts";

/** Loads a JWKS document; rejects on any failure and when the signal aborts. */
export type KeySource = (signal: AbortSignal) => Promise<unknown>;

const metadata = v.object({ issuer: v.string(), jwks_uri: v.string() });

/** Reads the keys from a JWKS file. */
export function fileKeys(path: string): KeySource {
  return async (signal) => parseIssuerJson(await Deno.readTextFile(path, { signal }), path);
}

/** Returns why a JWKS file has no usable key; undefined if it has one. */
export async function keyFileIssue(name: string, path: string): Promise<string | undefined> {
  try {
    usableKeys(await fileKeys(path)(new AbortController().signal));
    return undefined;
  } catch (error) {
    return `${name} cannot be used: ${error}`;
  }
}

/** Fetches the keys from a JWKS URL. */
export function urlKeys(url: string, fetch: Fetch = globalThis.fetch): KeySource {
  return (signal) => fetchJson(url, { signal }, fetch);
}

/**
 * Fetches the keys from the URL in the issuer's metadata (RFC 8414, then OpenID Connect Discovery).
 *
 * Rejects if the metadata names another issuer, or a key URL that is less secure than the issuer's
 * own.
 */
export function issuerKeys(
  issuer: string,
  fetch: Fetch = globalThis.fetch,
  plainHttp = false,
): KeySource {
  return async (signal) => {
    const issuerMetadata = v.parse(metadata, await fetchMetadata(issuer, signal, fetch));
    // Must be identical (RFC 8414 section 3.3), or one issuer could impersonate another.
    if (issuerMetadata.issuer !== issuer) {
      throw new Error(`Expected the metadata of "${issuer}": "${issuerMetadata.issuer}"`);
    }
    checkKeyUrl(issuer, issuerMetadata.jwks_uri, plainHttp);
    return await fetchJson(issuerMetadata.jwks_uri, { signal }, fetch);
  };
}

async function fetchMetadata(issuer: string, signal: AbortSignal, fetch: Fetch): Promise<unknown> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const oauth = `${origin}/.well-known/oauth-authorization-server${path}`;
  try {
    return await fetchJson(oauth, { signal }, fetch);
  } catch {
    // After any failure, not just 404: some issuers serve a page for every unknown path.
    const openId = `${origin}${path}/.well-known/openid-configuration`;
    return await fetchJson(openId, { signal }, fetch);
  }
}

function checkKeyUrl(issuer: string, url: string, plainHttp: boolean): void {
  const issue = urlIssue("jwks_uri", url, plainHttp);
  if (issue !== undefined) throw new Error(issue);
  if (new URL(issuer).protocol === "https:" && new URL(url).protocol !== "https:") {
    throw new Error(`Expected an https jwks_uri of an https issuer: "${url}"`);
  }
}
