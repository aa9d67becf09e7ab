/**
 * Validates every response of the app by the OpenAPI document: no member is missing, undocumented
 * or of another type.
 *
 * @module
 */
import * as v from "valibot";
import { endpoints } from "../../src/api/endpoints.ts";
import { ERRORS } from "../../src/shared/errors.ts";
import type { AnySchema } from "../../src/http/endpoint.ts";
import { createProblemSchema } from "../../src/cli/openapi/responses.ts";
import { assert, assertEquals } from "../assert.ts";
import { type Answer, ORIGIN, type TestApp, type TestAppOptions, withApp } from "./app.ts";

const problem = createProblemSchema(ERRORS);
const routes = endpoints.map(({ method, path, response }) => ({
  method,
  pattern: new URLPattern({ pathname: path }),
  response,
}));

/** Like {@linkcode withApp}, but validates every response to `call` by the document. */
export function withFaithfulApp(
  test: (app: TestApp) => Promise<void>,
  options: TestAppOptions = {},
): Promise<void> {
  return withApp((app) => test(faithful(app)), options);
}

/** Returns the app with a `call` that fails if the document does not allow a response. */
export function faithful(app: TestApp): TestApp {
  return {
    ...app,
    async call(route, options) {
      const answer = await app.call(route, options);
      assertFaithful(route, answer);
      return answer;
    },
  };
}

interface Members {
  readonly [member: string]: unknown;
}

function assertFaithful(route: string, answer: Answer): void {
  if (answer.status === 304) return assertEquals(answer.text, "", route);
  const body: Members = answer.json;
  if (answer.status !== 200) return assertRefusal(route, answer, body);
  assertMeets(route, responseOf(route), body);
  if ("in_trash" in body) assertEquals(body.archived, body.in_trash, route);
  if (body.object === "list") assertList(route, body);
}

function responseOf(route: string): AnySchema {
  const [method = "", path = ""] = route.split(" ");
  const url = new URL(path, ORIGIN);
  const found = routes.find((one) => one.method === method && one.pattern.test(url));
  assert(found !== undefined, `No endpoint for ${route}`);
  return found.response;
}

/** Removes members that a schema does not name, so that the rest differs from the response. */
function assertMeets(route: string, schema: AnySchema, body: Members): void {
  const { output, issues: schemaIssues } = v.safeParse(schema, body);
  const issues = schemaIssues?.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`) ?? [];
  assertEquals(issues, [], route);
  assertEquals(output, body, `${route} answers what its schema does not name`);
}

function assertList(route: string, list: Members): void {
  assertEquals(list.has_more, list.next_cursor !== null, route);
  assert(typeof list.type === "string" && list.type in list, route);
}

function assertRefusal(route: string, { status, headers }: Answer, body: Members): void {
  assertMeets(route, problem, body);
  assertEquals(body.status, status, route);
  assertEquals(body.message, body.detail, route);
  assertEquals(body.request_id, headers.get("x-request-id"), route);
}
