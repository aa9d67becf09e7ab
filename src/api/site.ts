/**
 * Pages for people.
 *
 * @module
 */
import * as v from "valibot";
import { BUNDLE_PATH } from "../web/docs_page.ts";
import { define } from "./services.ts";

const common = {
  method: "GET",
  tag: "Operations",
  response: v.string(),
  operational: true,
} as const;

export const siteEndpoints = [
  define({
    ...common,
    path: "/",
    operationId: "getStart",
    summary: "Lead to the API reference",
    description: "There is nothing else to see here.",
    handle: () => ({
      status: 302,
      fields: { location: "/docs" },
      body: "",
      cacheControl: "no-cache",
    }),
  }),
  define({
    ...common,
    path: "/docs",
    operationId: "getDocsPage",
    summary: "Show the API reference",
    description: "The OpenAPI document as a page for people, with calls to try.",
    handle: (_call, { docs }) => docs.page,
  }),
  define({
    ...common,
    path: BUNDLE_PATH,
    operationId: "getDocsBundle",
    summary: "Give what shows the API reference",
    description: "The program of the page, under a name that changes with its version.",
    handle: (_call, { docs }) => docs.bundle(),
  }),
  define({
    ...common,
    path: "/policy",
    operationId: "getPolicyPage",
    summary: "Show the policy",
    description: "The live policy as a page for people: who may call what, and tokens to try.",
    handle: (_call, { published }) => published.policyPage(),
  }),
];
