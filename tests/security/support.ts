/**
 * How these tests write requests and read answers.
 *
 * @module
 */
import type { TestApp } from "../support/app.ts";
import { assertEquals } from "../assert.ts";

export const UNKNOWN = "00000000-0000-4000-8000-000000000000";
export const NEW_PAGE = { parent: { workspace: true }, properties: {} };

/** Status and, of a refusal, its code: `"404 route_not_found"`, `"200"`. */
export function outcome({ status, text }: { status: number; text: string }): string {
  return status < 400 || text === "" ? `${status}` : `${status} ${JSON.parse(text).code}`;
}

/** A request as bytes, the last on its connection. */
export function lastRequest(line: string, fields: readonly string[], body = ""): string {
  return [line, ...fields, "Connection: close", "", body].join("\r\n");
}

/** Makes a page and answers its id. */
export async function createPage(
  app: Pick<TestApp, "call">,
  more: { readonly body?: object; readonly token?: string } = {},
): Promise<string> {
  const { body, ...rest } = more;
  const answer = await app.call("POST /v2/pages", { body: { ...NEW_PAGE, ...body }, ...rest });
  assertEquals(answer.status, 200, answer.text);
  return answer.json.id;
}
