/**
 * The OpenAPI document of a list of endpoints and a policy.
 *
 * @module
 */
import type { Tag } from "../../http/endpoint.ts";
import { STEP_UP } from "../../policy/document.ts";
import type { Policy, Rule } from "../../policy/schema.ts";
import { acrValuesIn, isAcr } from "../../shared/acr.ts";
import { HEADER_PARAMETERS, HEADERS } from "./headers.ts";
import { componentsIn } from "./components.ts";
import type { Info } from "./info.ts";
import type { JsonObject } from "./json.ts";
import { type AnyEndpoint, createOperation, routeOf, schemasOf, templateOf } from "./operation.ts";
import { createProblemSchema, errorResponses, type ErrorTable } from "./responses.ts";
import { type Bounds, convertSchemas } from "./schemas.ts";

export interface DocumentOptions {
  readonly endpoints: readonly AnyEndpoint[];
  readonly policy: Policy;
  readonly info: Info;
  readonly errors: ErrorTable;
  /** Bounds of texts and lists whose schemas have none. */
  readonly bounds?: Bounds;
}

export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: Info;
  readonly servers: readonly JsonObject[];
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, JsonObject>>;
  readonly components:
    & Readonly<Record<"schemas" | "parameters" | "headers" | "responses", JsonObject>>
    & { readonly securitySchemes: JsonObject };
}

const SERVERS = [
  {
    url: "/",
    // Names the environments, as OWASP's rules for documents require.
    description: "The server that serves this document, local or in production.",
    "x-internal": false,
  },
];

/**
 * Describes the API. Operational endpoints are left out. The same input gives the same document.
 *
 * Throws if an endpoint has no rule, if its path and its parameters differ, if two schemas have one
 * name, if a schema has no JSON Schema form, and if a recursive schema has no name.
 */
export function createDocument(options: DocumentOptions): OpenApiDocument {
  const { policy, info, errors } = options;
  const endpoints = options.endpoints.filter((endpoint) => endpoint.operational !== true);
  const inline = new Map(endpoints.flatMap(schemasOf));
  const converted = convertSchemas({
    named: componentsIn([createProblemSchema(errors), ...inline.values()]),
    inline,
    ...(options.bounds && { bounds: options.bounds }),
  });
  const operations = endpoints.map((endpoint): Operation => ({
    path: templateOf(endpoint),
    method: endpoint.method.toLowerCase(),
    value: createOperation(endpoint, {
      rule: ruleOf(endpoint, policy),
      errors,
      schemas: converted.inline,
      components: converted.components,
    }),
  }));
  return {
    openapi: "3.1.1",
    info,
    servers: SERVERS,
    tags: createTags(endpoints),
    paths: createPaths(operations),
    components: {
      schemas: converted.components,
      parameters: HEADER_PARAMETERS,
      headers: HEADERS,
      responses: errorResponses(errors),
      securitySchemes: createSecuritySchemes(policy),
    },
  };
}

/** The text of the document. The same document gives the same bytes. */
export function serializeDocument(document: OpenApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

interface Operation {
  readonly path: string;
  readonly method: string;
  readonly value: JsonObject;
}

function ruleOf(endpoint: AnyEndpoint, policy: Policy): Rule {
  const rule = policy.routes.get(routeOf(endpoint));
  if (rule === undefined) throw new Error(`Endpoint without a rule: ${routeOf(endpoint)}`);
  return rule;
}

function createPaths(operations: readonly Operation[]): Record<string, JsonObject> {
  const paths = Map.groupBy(operations, ({ path }) => path);
  return Object.fromEntries(
    [...paths].sort(byName).map(([path, here]) => [
      path,
      Object.fromEntries(here.map(({ method, value }) => [method, value])),
    ]),
  );
}

/** The tags in use, by name. */
function createTags(endpoints: readonly AnyEndpoint[]): Tag[] {
  const tags = new Map(endpoints.map(({ tag }) => [tag.name, tag]));
  return [...tags].sort(byName).map(([, tag]) => tag);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

const ISSUERS = "/.well-known/oauth-protected-resource";

/** The second scheme is only there if a rule asks how the user signed in. */
function createSecuritySchemes(policy: Policy): JsonObject {
  const values = [...policy.scopes].filter(([name]) => isAcr(name));
  if (values.length === 0) return { oauth2: createSecurityScheme(policy) };
  const list = values.map(([name, text]) => `\`${acrValuesIn([name])[0]}\`: ${text}`).join(" ");
  return {
    oauth2: createSecurityScheme(policy),
    [STEP_UP]: {
      type: "http",
      scheme: "bearer",
      description:
        `The same access token, whose \`acr\` claim has each of the listed values. If it has not, the answer is 401 with \`insufficient_user_authentication\` and \`acr_values\` (RFC 9470): request a token with these \`acr_values\`. ${list}`,
    },
  };
}

/** Points to the issuers, which differ by deployment while the document does not. */
function createSecurityScheme({ scopes }: Policy): JsonObject {
  return {
    type: "oauth2",
    description:
      `Send an access token as \`Authorization: Bearer\` (RFC 6750), usually a JWT (RFC 9068, RFC8725). \`${ISSUERS}\` lists the issuers that this server accepts (RFC 9728). The metadata of an issuer has its token URL (RFC 8414). If \`dpop_signing_alg_values_supported\` is listed there, a token that is bound to a key is sent as \`Authorization: DPoP\`, with a proof in the \`DPoP\` header (RFC 9449). An API key is sent as a bearer token; the operator of the server creates it.`,
    flows: {
      clientCredentials: {
        tokenUrl: ISSUERS,
        refreshUrl: ISSUERS,
        scopes: Object.fromEntries([...scopes].filter(([name]) => !isAcr(name))),
      },
    },
  };
}
