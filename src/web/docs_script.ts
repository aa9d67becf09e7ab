/**
 * What starts the API reference in the reader's browser.
 *
 * @module
 */

/**
 * The document names an issuer's flow, which a server cannot know of every deployment. Who reads the
 * page has a token in hand: each operation asks for that, and still names its scopes.
 */
export const SCRIPT = `"use strict";
fetch("/v2/openapi.json").then((response) => response.json()).then((document) => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  for (const operation of operations) {
    const scopes = (operation.security ?? []).flatMap((way) => Object.values(way).flat());
    if (scopes.length === 0) continue;
    operation.security = [{ token: [] }];
    operation.description += "\\n\\nNeeds " + scopes.map((scope) => "\`" + scope + "\`").join(", ") + ".";
  }
  document.components.securitySchemes = {
    token: { type: "http", scheme: "bearer", description: "An access token of this server's issuer." },
  };
  document.servers = [{ url: location.origin }];
  Scalar.createApiReference("#reference", {
    content: document,
    authentication: { preferredSecurityScheme: "token" },
    agent: { disabled: true },
    mcp: { disabled: true },
    telemetry: false,
    withDefaultFonts: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    defaultOpenAllTags: true,
    documentDownloadType: "none",
  });
});
`;
