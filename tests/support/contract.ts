/**
 * Validates responses and bodies by the OpenAPI document.
 *
 * @module
 */
import { Ajv2020, type ValidateFunction } from "ajv/2020";
import formats from "ajv-formats";
import { type JsonObject } from "../../src/cli/openapi/json.ts";
import { isSchema, mapSchema } from "../../src/cli/openapi/walk.ts";

/** One operation of the document. */
export interface Operation {
  readonly method: string;
  readonly template: string;
  readonly operationId: string;
  /** Matches the paths of its template. */
  readonly pattern: RegExp;
  readonly value: JsonObject;
}

export interface Contract {
  readonly operations: readonly Operation[];
  /** The components by name. */
  readonly schemas: JsonObject;
  /** Returns how a response differs from the document; undefined if it does not. */
  judge(request: Pick<Request, "method" | "url">, response: Response): Promise<string | undefined>;
  /** Validates responses by the schema at a JSON pointer of the document. */
  validator(pointer: string): ValidateFunction;
  /** Like `validator`, but with open objects as the schema has them. */
  asWritten(pointer: string): ValidateFunction;
}

type AddFormats = (ajv: Ajv2020) => unknown;

/**
 * Reads a document. Closes its open objects for responses, which must contain only documented
 * members.
 */
export function createContract(text: string): Contract {
  const document = JSON.parse(text);
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false });
  // Sound because its documentation calls it like this; its types lack the default export.
  (formats as unknown as AddFormats)(ajv);
  ajv.addFormat("int32", true).addFormat("int64", true);
  ajv.addSchema({ ...document, components: closed(document.components) }, "closed");
  ajv.addSchema(document, "written");
  const known = new Map<string, ValidateFunction>();
  const validatorIn = (schema: "closed" | "written") => (pointer: string): ValidateFunction => {
    const key = `${schema}#${encodeURI(pointer)}`;
    const made = known.get(key) ?? ajv.getSchema(key);
    if (made === undefined) throw new Error(`The document has no ${pointer}`);
    known.set(key, made);
    return made;
  };
  const validator = validatorIn("closed");
  const operations = operationsOf(document.paths);
  return {
    operations,
    schemas: document.components.schemas,
    validator,
    asWritten: validatorIn("written"),
    judge: (request, response) => judge({ operations, document, validator }, request, response),
  };
}

function closed(components: JsonObject): JsonObject {
  const { schemas } = components;
  if (!isSchema(schemas)) throw new Error("No schemas");
  const close = (schema: JsonObject): JsonObject =>
    schema["type"] === "object" && schema["additionalProperties"] === undefined
      ? { ...schema, additionalProperties: false }
      : schema;
  const all = Object.entries(schemas).map(([name, schema]) => [
    name,
    isSchema(schema) ? mapSchema(schema, close) : schema,
  ]);
  return { ...components, schemas: Object.fromEntries(all) };
}

function operationsOf(paths: Record<string, Record<string, JsonObject>>): Operation[] {
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, value]) => ({
      method: method.toUpperCase(),
      template,
      operationId: String(value["operationId"]),
      pattern: new RegExp(`^${template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
      value,
    }))
  );
}

interface Court extends Pick<Contract, "operations" | "validator"> {
  readonly document: { readonly components: { readonly responses: JsonObject } };
}

async function judge(
  court: Court,
  { method, url }: Pick<Request, "method" | "url">,
  response: Response,
): Promise<string | undefined> {
  // The path as sent: `URL` would resolve dot segments, which the server must not do.
  const path = /^https?:\/\/[^/]*([^?#]*)/.exec(url)?.[1] ?? "";
  if (method === "OPTIONS" || !path.startsWith("/v2/")) return undefined;
  const asked = method === "HEAD" ? "GET" : method;
  const operation = court.operations.find((one) => one.method === asked && one.pattern.test(path));
  const found = responseAt(court, operation, response.status);
  if (found === undefined) return `${method} ${path}: no answer ${response.status} is documented`;
  const body = await response.clone().text();
  const issue = bodyIssue(court, found, { response, body, method });
  return issue && `${method} ${path} ${response.status}: ${issue}\n${body.slice(0, 2_000)}`;
}

/** A response object and the JSON pointer to it. */
interface Found {
  readonly pointer: string;
  readonly content: JsonObject | undefined;
}

/** Finds the response of a status; for errors before any operation, that of any operation. */
function responseAt(
  { document }: Court,
  operation: Operation | undefined,
  status: number,
): Found | undefined {
  const known = operation && Object(operation.value["responses"])[status];
  const exact = known ?? (operation ? otherRefusal(document, status) : OTHERWISE);
  if (exact === undefined) return undefined;
  const name = exact.$ref?.replace("#/components/responses/", "");
  const value = name === undefined ? exact : Object(document.components.responses[name]);
  const pointer = name === undefined && operation !== undefined
    ? pointerOf("paths", operation.template, operation.method.toLowerCase(), "responses", status)
    : pointerOf("components", "responses", name);
  return { pointer, content: value.content && { ...value["x-lines-content"], ...value.content } };
}

const OTHERWISE = { $ref: "#/components/responses/OtherError" };

/** Errors that an operation does not list are described by its `default`. */
function otherRefusal({ components }: Court["document"], status: number): JsonObject | undefined {
  const { content } = Object(components.responses["OtherError"]);
  const shown = Object.values(Object(content["application/problem+json"].examples));
  const isShown = shown.some((example) => Object(example).value.status === status);
  return isShown ? OTHERWISE : undefined;
}

function bodyIssue(
  { validator }: Court,
  { pointer, content }: Found,
  { response, body, method }: {
    readonly response: Response;
    readonly body: string;
    readonly method: string;
  },
): string | undefined {
  if (content === undefined) return body === "" ? undefined : "a body that is not documented";
  const type = response.headers.get("content-type") ?? "";
  const media = type.split(";")[0] ?? "";
  if (content[media] === undefined) return `type ${type} is not documented`;
  // Compressed bodies are decoded by the caller.
  if (response.headers.has("content-encoding")) return undefined;
  if (method === "HEAD" || !media.endsWith("json")) return undefined;
  const validate = validator(`${pointer}${pointerOf("content", media, "schema")}`);
  return validate(JSON.parse(body)) ? undefined : JSON.stringify(validate.errors);
}

/** A JSON pointer (RFC 6901). */
export function pointerOf(...parts: readonly unknown[]): string {
  return parts.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(
    "",
  );
}
