import type { Reply } from "../http/endpoint.ts";

/**
 * Returns an HTML page as a reply; `security` is its content security policy, and framing is
 * forbidden.
 */
export function createPageReply(html: string, security: string): Reply {
  return {
    body: html,
    contentType: "text/html; charset=utf-8",
    contentSecurityPolicy: `${security}; frame-ancestors 'none'`,
    cacheControl: "no-cache",
    etag: "hash",
    constant: true,
  };
}
