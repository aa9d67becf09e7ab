/**
 * Where the issuer's keys come from: a file, an address, or the issuer's own metadata.
 *
 * @module
 */
import * as v from "valibot";
import { type Fetch, fetchJson, parseIssuerJson } from "./fetch_json.ts";
import { urlIssue } from "./urls.ts";
import { usableKeys } from "./usable_keys.ts";

/** Brings a JWKS document; rejects on any failure, and in time when the signal aborts. */
export type KeySource = (signal: AbortSignal) => Promise<unknown>;

const metadata = v.object({ issuer: v.string(), jwks_uri: v.string() });

/** Reads the keys from a JWKS file. */
export function fileKeys(path: string): KeySource {
  return async (signal) => parseIssuerJson(await Deno.readTextFile(path, { signal }), path);
}

/** Says why a JWKS file gives no key to verify with; undefined where it gives one. */
export async function keyFileIssue(name: string, path: string): Promise<string | undefined> {
  try {
    usableKeys(await fileKeys(path)(new AbortController().signal));
    return undefined;
  } catch (error) {
    return `${name} cannot be used: ${error}`;
  }
}

/** Fetches the keys from a JWKS address. */
export function urlKeys(url: string, fetch: Fetch = globalThis.fetch): KeySource {
  return (signal) => fetchJson(url, { signal }, fetch);
}

/**
 * Fetches the keys from where the issuer's metadata says (RFC 8414, then OpenID Connect Discovery).
 *
 * Rejects where the metadata is another issuer's, or names an address that is no safer than the
 * issuer's own.
 */
export function issuerKeys(issuer: string, fetch: Fetch = globalThis.fetch): KeySource {
  return async (signal) => {
    const found = v.parse(metadata, await fetchMetadata(issuer, signal, fetch));
    // Letter for letter (RFC 8414 section 3.3): else one issuer could speak for another.
    if (found.issuer !== issuer) {
      throw new Error(`Expected the metadata of "${issuer}": "${found.issuer}"`);
    }
    checkKeyAddress(issuer, found.jwks_uri);
    return await fetchJson(found.jwks_uri, { signal }, fetch);
  };
}

async function fetchMetadata(issuer: string, signal: AbortSignal, fetch: Fetch): Promise<unknown> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const oauth = `${origin}/.well-known/oauth-authorization-server${path}`;
  try {
    return await fetchJson(oauth, { signal }, fetch);
  } catch {
    // Not only after a 404: some issuers answer every unknown path with a page.
    const openId = `${origin}${path}/.well-known/openid-configuration`;
    return await fetchJson(openId, { signal }, fetch);
  }
}

function checkKeyAddress(issuer: string, address: string): void {
  const issue = urlIssue("jwks_uri", address);
  if (issue !== undefined) throw new Error(issue);
  if (new URL(issuer).protocol === "https:" && new URL(address).protocol !== "https:") {
    throw new Error(`Expected an https jwks_uri of an https issuer: "${address}"`);
  }
}
