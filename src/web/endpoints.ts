/**
 * Routes of the HTML pages: outside `/v2`, public.
 *
 * @module
 */
import * as v from "valibot";
import { endpoint, type Reply } from "../http/endpoint.ts";
import type { Docs } from "./docs.ts";

/** Services of these routes. */
export interface WebServices {
  readonly docs: Docs;
  /** The origin of URLs in responses, without a trailing slash. */
  readonly publicUrl: string;
  readonly published: { readonly policyPage: () => Promise<Reply> };
}

const TAG = "Pages for people";
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
    summary: "Lead to what there is",
    description: "The API reference for browsers, addresses for everyone else.",
    response: v.record(v.string(), v.string()),
    alternatives: [HTML],
    operational: true,
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
    description: "The OpenAPI document as a page, from which calls can be sent.",
    response: v.string(),
    operational: true,
    handle: (_call, { docs }) => docs.page(),
  }),
  endpoint<WebServices, { readonly script: string }>({
    method: "GET",
    path: "/docs/:script",
    operationId: "getDocsScript",
    tag: TAG,
    summary: "Load the script of the API reference",
    description: "Never changes under one name.",
    params: v.strictObject({ script: v.string() }),
    response: v.string(),
    operational: true,
    handle: ({ params }, { docs }) => docs.script(params.script),
  }),
  endpoint<WebServices>({
    method: "GET",
    path: "/policy",
    operationId: "getPolicyPage",
    tag: TAG,
    summary: "Show the policy",
    description: "The live policy as a page for people: who may call what, and tokens to try.",
    response: v.string(),
    operational: true,
    handle: (_call, { published }) => published.policyPage(),
  }),
];
