/**
 * The dialect of Markdown under `/v1`: the vendor's, unless a request says otherwise.
 *
 * @module
 */
import type { Endpoint } from "../http/endpoint.ts";
import type { Services } from "../api/shared/services.ts";
import type { MarkdownVariant } from "../content/markdown/print_portion.ts";

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

/** Returns the body of a new page, whose Markdown is in the vendor's dialect. */
export function withEnhanced<Body extends { readonly markdown_variant?: MarkdownVariant }>(
  body: Body,
): Body {
  return { ...body, markdown_variant: body.markdown_variant ?? "enhanced" };
}
