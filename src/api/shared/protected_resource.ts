/**
 * The metadata from which clients learn how to get tokens (RFC 9728).
 *
 * @module
 */

/** How clients get tokens for this service; it does not change while the service runs. */
export interface ProtectedResource {
  /** The URL that clients request tokens for (RFC 8707). */
  readonly resource: string;
  /** Issuers whose tokens are accepted. */
  readonly authorizationServers: readonly string[];
  /** Members about DPoP; none if it is off. */
  readonly dpopMetadata: Readonly<Record<string, unknown>>;
  /** True if clients can read `/docs`. */
  readonly hasDocs: boolean;
}

export interface ProtectedResourceParts extends ProtectedResource {
  readonly publicUrl: string;
  /** Every scope of the policy. */
  readonly scopes: readonly string[];
}

/** Returns the metadata of RFC 9728 section 2, without lists that would be empty (section 3.2). */
export function describeProtectedResource(parts: ProtectedResourceParts): Record<string, unknown> {
  const lists: Readonly<Record<string, readonly string[]>> = {
    authorization_servers: parts.authorizationServers,
    scopes_supported: parts.scopes,
    bearer_methods_supported: ["header"],
  };
  return {
    resource: parts.resource,
    ...Object.fromEntries(Object.entries(lists).filter(([, values]) => values.length > 0)),
    ...parts.dpopMetadata,
    resource_name: "Recto",
    ...(parts.hasDocs && { resource_documentation: `${parts.publicUrl}/docs` }),
  };
}
