/**
 * Property items, whose next page is at a URL of `/v1`.
 *
 * @module
 */
import type { Endpoint } from "../../http/endpoint.ts";
import type { Services } from "../../api/shared/services.ts";

/** Returns the endpoint with URLs of `/v1` in its replies. */
export function withOwnUrls(target: Endpoint<Services>): Endpoint<Services> {
  return {
    ...target,
    handle: async (call, services) => {
      const reply = await target.handle(call, services);
      if (typeof reply.body !== "string") return reply;
      // In a string of the content, the quotes would be escaped.
      const start = `"next_url":"${services.publicUrl}`;
      return { ...reply, body: reply.body.replace(`${start}/v2/`, `${start}/v1/`) };
    },
  };
}
