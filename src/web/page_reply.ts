import type { Reply } from "../http/endpoint.ts";

/** A page for people as an answer; `security` says what it may load, and nobody may frame it. */
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
