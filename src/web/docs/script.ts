/**
 * Configures the reference in the browser.
 *
 * OAuth is shown as a bearer token to fill in, because the document names no issuer and so no token
 * URL. Nothing is sent to other servers, and the token stays in the memory of the page.
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
