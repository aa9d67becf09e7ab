/**
 * Routes of the HTML pages: outside `/v2`, public.
 *
 * @module
 */
import * as v from "valibot";
import { endpoint, type Reply, type Tag } from "../http/endpoint.ts";
import type { Docs } from "./docs.ts";

/** Services of these routes. */
export interface WebServices {
  readonly docs: Docs;
  /** The origin of URLs in responses, without a trailing slash. */
  readonly publicUrl: string;
  readonly published: {
    readonly policyPage: (notices: readonly string[]) => Promise<Reply>;
  };
  /** Notices on the policy page about files that were refused and about the candidate. */
  readonly policyNotices: () => readonly string[];
}

const TAG: Tag = { name: "Web pages", description: "Pages to read in a browser." };
const HTML = "text/html";
const TO_DOCS: Reply = {
  status: 302,
  fields: { location: "/docs" },
  body: "",
  contentType: HTML,
  cacheControl: "no-cache",
};

export const webEndpoints = [
  endpoint<WebServices>({
    method: "GET",
    path: "/",
    operationId: "getStart",
    tag: TAG,
    summary: "Find the API reference",
    description:
      "Redirects browsers to the API reference. Other clients get the URLs of reference, OpenAPI document and policy.",
    response: v.record(v.string(), v.string()),
    alternatives: [HTML],
    operational: true,
    adminPort: "only",
    handle: ({ mediaType }, { publicUrl }) =>
      mediaType === HTML ? TO_DOCS : {
        body: {
          reference: `${publicUrl}/docs`,
          document: `${publicUrl}/v2/openapi.json`,
          policy: `${publicUrl}/policy`,
        },
        cacheControl: "no-cache",
        etag: "hash",
      },
  }),
  endpoint<WebServices>({
    method: "GET",
    path: "/docs",
    operationId: "getDocsPage",
    tag: TAG,
    summary: "Show the API reference",
    description: "The API reference as a page, from which you can send calls.",
    response: v.string(),
    operational: true,
    adminPort: "only",
    handle: (_call, { docs }) => docs.page(),
  }),
  endpoint<WebServices, { readonly script: string }>({
    method: "GET",
    path: "/docs/:script",
    operationId: "getDocsScript",
    tag: TAG,
    summary: "Load the script of the API reference",
    description: "The script of the API reference. It never changes under the same name.",
    params: v.strictObject({ script: v.string() }),
    response: v.string(),
    operational: true,
    adminPort: "only",
    handle: ({ params }, { docs }) => docs.script(params.script),
  }),
  endpoint<WebServices>({
    method: "GET",
    path: "/policy",
    operationId: "getPolicyPage",
    tag: TAG,
    summary: "Show the policy",
    description: "The active policy as a page: who may call what. You can try it with tokens.",
    response: v.string(),
    operational: true,
    adminPort: "only",
    handle: (_call, { published, policyNotices }) => published.policyPage(policyNotices()),
  }),
];
