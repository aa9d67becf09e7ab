/**
 * The dialect of Markdown under `/v1`: the vendor's, unless a request says otherwise.
 *
 * @module
 */
import type { Endpoint } from "../http/endpoint.ts";
import type { Services } from "../api/shared/services.ts";

/** Returns an endpoint that answers Markdown, in the vendor's dialect. */
export function answersEnhanced(endpoint: Endpoint<Services>): Endpoint<Services> {
  return {
    ...endpoint,
    handle: (call, services) => {
      const query = { variant: "enhanced", ...Object(call.query) };
      return endpoint.handle({ ...call, query }, services);
    },
  };
}

/** Returns an endpoint whose body may have Markdown, in the vendor's dialect. */
export function readsEnhanced(endpoint: Endpoint<Services>): Endpoint<Services> {
  return {
    ...endpoint,
    handle: (call, services) => {
      const given: object = Object(call.body);
      const body = "markdown" in given ? { markdown_variant: "enhanced", ...given } : given;
      return endpoint.handle({ ...call, body }, services);
    },
  };
}
