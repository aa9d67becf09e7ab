/**
 * The request that a proxy asks about, as each proxy describes it.
 *
 * @module
 */

/** A request to a guarded service. */
export interface OriginalRequest {
  readonly method: string;
  /** Host without a port and a dot at its end, in lower case. */
  readonly host: string;
  /** The path as the client sent it, without the query. */
  readonly path: string;
}

/**
 * Reads the original request; undefined if the proxy does not describe exactly one. `rest` is what
 * follows the address of the contract in the URL.
 */
export type ReadOriginal = (headers: Headers, ask: Ask) => OriginalRequest | undefined;

/** How the proxy asked. */
export interface Ask {
  readonly method: string;
  readonly rest: string;
}

const METHOD = /^[A-Z][A-Z-]*$/;
/** `shop.example.` is `shop.example`; other hosts have no empty labels (RFC 1034 section 3.1). */
const AUTHORITY = /^(?:((?:[a-z0-9-]+\.)*[a-z0-9-]+)\.?|(\[[0-9a-f:.]+\]))(?::\d{1,5})?$/;
const URL_PARTS = /^https?:\/\/([^/?#]+)(\/.*)$/i;
const MAX_TARGET = 8_192;

/**
 * The contracts, by the address that a proxy is given. Each reads its own headers alone: a proxy
 * overwrites those, and passes on what a client puts into the others.
 */
export const CONTRACTS: Readonly<Record<string, ReadOriginal>> = {
  "/auth/nginx": readNginx,
  "/auth/traefik": readForwarded,
  "/auth/caddy": readForwarded,
  "/auth/envoy": readEnvoy,
};

/** nginx `auth_request`, with the headers of the samples; ingress-nginx sets the same. */
function readNginx(headers: Headers): OriginalRequest | undefined {
  const [, authority, target] = URL_PARTS.exec(headers.get("x-original-url") ?? "") ?? [];
  return toRequest(headers.get("x-original-method"), authority, target);
}

/** Traefik `forwardAuth` and Caddy `forward_auth`. */
function readForwarded(headers: Headers): OriginalRequest | undefined {
  return toRequest(
    headers.get("x-forwarded-method"),
    headers.get("x-forwarded-host"),
    headers.get("x-forwarded-uri"),
  );
}

/** Envoy `ext_authz` over HTTP sends the request itself, below a `path_prefix`. */
function readEnvoy(headers: Headers, { method, rest }: Ask): OriginalRequest | undefined {
  return toRequest(method, headers.get("host"), rest);
}

/** A value that was sent twice arrives with a comma and a space, which no valid one has. */
function toRequest(
  method: string | null,
  authority: string | null | undefined,
  target: string | null | undefined,
): OriginalRequest | undefined {
  if (!method || !authority || !target || target.length > MAX_TARGET) return undefined;
  const [, name, address] = AUTHORITY.exec(authority.toLowerCase()) ?? [];
  const host = name ?? address;
  const isTarget = target.startsWith("/") && !/[#\s]/.test(target);
  if (host === undefined || !isTarget || !METHOD.test(method)) return undefined;
  const question = target.indexOf("?");
  return { method, host, path: question < 0 ? target : target.slice(0, question) };
}
