/**
 * Judges replies of `/v1`, which no document describes: their statuses, and the form of their errors.
 *
 * @module
 */
import * as v from "valibot";

/** Codes that the vendor's SDKs know, and the statuses with which the service sends them. */
const STATUSES: Readonly<Record<string, readonly number[]>> = {
  invalid_json: [400],
  invalid_request: [400, 416, 417, 422, 431, 501],
  invalid_request_url: [400],
  missing_version: [400],
  validation_error: [400, 413, 414],
  unauthorized: [401],
  restricted_resource: [403],
  object_not_found: [404],
  conflict_error: [409, 412],
  rate_limited: [429],
  service_unavailable: [503],
};

const errorBody = v.strictObject({
  object: v.literal("error"),
  status: v.number(),
  code: v.picklist(Object.keys(STATUSES)),
  message: v.pipe(v.string(), v.minLength(1)),
  additional_data: v.exactOptional(
    v.record(v.string(), v.union([v.string(), v.array(v.string())])),
  ),
  request_id: v.pipe(v.string(), v.minLength(1)),
});

/** Every object says what it is, but for the list of templates. */
const success = v.union([
  v.looseObject({ object: v.pipe(v.string(), v.notValue("error")) }),
  v.strictObject({
    templates: v.array(v.unknown()),
    has_more: v.boolean(),
    next_cursor: v.nullable(v.string()),
  }),
]);

/** Returns how a reply differs from what `/v1` may say; undefined if it does not. */
export async function judgeNotion(
  { method, url }: Pick<Request, "method" | "url">,
  response: Response,
): Promise<string | undefined> {
  const { status } = response;
  // The path as sent: `URL` would resolve dot segments, which the server must not do.
  const path = /^https?:\/\/[^/]*([^?#]*)/.exec(url)?.[1] ?? "";
  if (method === "OPTIONS" || !path.startsWith("/v1/")) return undefined;
  const body = await response.clone().text();
  if (method === "HEAD" || status === 304) return body === "" ? undefined : `${status} with a body`;
  const issue = bodyIssue(response, body);
  return issue && `${method} ${path} ${status}: ${issue}\n${body.slice(0, 2_000)}`;
}

function bodyIssue({ status, headers }: Response, body: string): string | undefined {
  const type = headers.get("content-type") ?? "";
  if (!type.startsWith("application/json")) return `type ${type}`;
  const json: unknown = JSON.parse(body);
  if (status === 200) return v.is(success, json) ? undefined : "no object of the vendor";
  const { success: isError, output, issues } = v.safeParse(errorBody, json);
  if (!isError) return JSON.stringify(v.flatten(issues));
  if (output.status !== status) return `the body says ${output.status}`;
  return STATUSES[output.code]?.includes(status) ? undefined : `${output.code} is not sent with it`;
}
