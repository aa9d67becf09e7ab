/**
 * How the reference is set up; it runs in the reader's browser.
 *
 * The scheme is shown as what it comes to here, a bearer token to fill in: which issuer makes tokens
 * the document leaves to each server, so there is no token URL that a page could ask. Nothing is sent
 * to anybody but this server, and the token stays in the page's memory.
 *
 * @module
 */

export const SCRIPT = `"use strict";
Scalar.createApiReference("#reference", {
  url: "/v2/openapi.json",
  authentication: {
    preferredSecurityScheme: "oauth2",
    securitySchemes: { oauth2: { type: "http", scheme: "bearer" } },
  },
  persistAuth: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  withDefaultFonts: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  hideModels: true,
  defaultOpenAllTags: true,
  documentDownloadType: "direct",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
});
`;
