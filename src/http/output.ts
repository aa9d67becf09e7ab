/**
 * Writes answers: the one place that makes a `Response`.
 *
 * @module
 */

/** Header fields in the order they are sent, names in lower case. */
export type Fields = readonly (readonly [name: string, value: string])[];

const SECURITY: Fields = [
  ["x-content-type-options", "nosniff"],
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
  ["referrer-policy", "no-referrer"],
  ["cross-origin-resource-policy", "same-origin"],
];

export const JSON_TYPE = "application/json";
export const PROBLEM_TYPE = "application/problem+json";

export interface Output {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly fields: Fields;
}

/** A whole answer; for HEAD the same one without its body (RFC 9110 section 9.3.2). */
export function createResponse(output: Output, method: string): Response {
  const { status, contentType, body } = output;
  const response = method === "HEAD"
    ? bodiless(status, contentType, body)
    : new Response(body, { status, headers: { "content-type": contentType } });
  return withFields(response, output.fields);
}

/** An answer made from one that was kept: its clone, with the fields of this request. */
export function copyResponse(kept: Response, fields: Fields): Response {
  const response = kept.clone();
  for (const [name, value] of fields) response.headers.append(name, value);
  return response;
}

/** An answer that has no body by its status: 204, 304. */
export function createEmptyResponse(status: 204 | 304, fields: Fields): Response {
  return withFields(new Response(null, { status }), fields);
}

function bodiless(status: number, contentType: string, body: Output["body"]): Response {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const length = String(bytes.length);
  return new Response(null, {
    status,
    headers: { "content-type": contentType, "content-length": length },
  });
}

// Appending is a third cheaper than handing the constructor all fields, which has Deno build the
// answer natively and register it for finalization.
function withFields(response: Response, fields: Fields): Response {
  const { headers } = response;
  for (const [name, value] of SECURITY) headers.append(name, value);
  for (const [name, value] of fields) headers.append(name, value);
  return response;
}
