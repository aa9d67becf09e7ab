/**
 * The options of every command that calls the API: which server, which token.
 *
 * @module
 */
import { findSecret } from "../../config/secret_files.ts";
import type { Environment } from "../../config/variables.ts";
import type { ApiClientOptions } from "./api_client.ts";

/** Options for `parseArgs()`. */
export const CONNECTION_OPTIONS = {
  server: { type: "string" },
  parallel: { type: "string" },
  "files-host": { type: "string" },
} as const;

export const CONNECTION_USAGE =
  `  --server     origin of the server (default: RECTO_SERVER, or http://127.0.0.1:8000)
  --parallel   requests at a time, 1 to 64 (default: 16)
  --files-host HOST:PORT of the bucket, if the server stores its files in S3

The access token is read from RECTO_TOKEN, or from the file that RECTO_TOKEN_FILE names.
`;

/** The default of `RECTO_SERVER`. */
export const DEFAULT_SERVER = "http://127.0.0.1:8000";
const PARALLEL = /^(?:[1-9]|[1-5]\d|6[0-4])$/;

export interface ConnectionValues {
  readonly server?: string | undefined;
  readonly parallel?: string | undefined;
}

/**
 * Returns how to reach the API, or the error in the options or settings. Reads no other variables,
 * because the command may not.
 */
export function readConnection(
  { server, parallel = "16" }: ConnectionValues,
  environment: Environment,
): ApiClientOptions | string {
  const url = server ?? (environment("RECTO_SERVER") || DEFAULT_SERVER);
  const origin = originOf(url);
  if (origin === undefined) {
    const source = server === undefined ? "RECTO_SERVER" : "--server";
    return `${source} must be an origin such as ${DEFAULT_SERVER}, without a path: "${url}"`;
  }
  if (!PARALLEL.test(parallel)) return `--parallel must be 1 to 64: ${parallel}`;
  const token = readToken(environment);
  return typeof token === "string"
    ? token
    : { server: origin, ...token, parallel: Number(parallel) };
}

function readToken(environment: Environment): { readonly token: string } | string {
  const text = environment("RECTO_TOKEN");
  const set = text ? { name: "RECTO_TOKEN", text } : undefined;
  const found = findSecret("RECTO_TOKEN", set, environment);
  if (found === undefined) {
    return "RECTO_TOKEN is not set: mint a token with `recto token`, or request one of your issuer";
  }
  return "issue" in found ? found.issue : { token: found.text };
}

/** Returns the origin of a URL that is nothing else; undefined for any other text. */
export function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return url.pathname === "/" && url.search === "" && url.hash === "" ? url.origin : undefined;
}
