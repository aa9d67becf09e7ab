/**
 * The OpenAPI document, folded out of the endpoints and the policy.
 *
 * @module
 */
import type { Policy, Rule } from "../../policy/schema.ts";
import { HEADER_PARAMETERS, HEADERS } from "./headers.ts";
import type { Bounds } from "./bounds.ts";
import type { Info } from "./info.ts";
import type { JsonObject } from "./json.ts";
import {
  type AnyEndpoint,
  createOperation,
  type ExampleTable,
  routeOf,
  schemasOf,
  templateOf,
} from "./operation.ts";
import { createProblemSchema, type ErrorTable, refusalComponents } from "./responses.ts";
import { convertSchemas, type SchemaTable } from "./schemas.ts";

export interface DocumentOptions {
  readonly endpoints: readonly AnyEndpoint[];
  readonly policy: Policy;
  /** The component schemas by name: where one of these very objects stands, a `$ref` does. */
  readonly schemas: SchemaTable;
  readonly info: Info;
  readonly errors: ErrorTable;
  /** What holds for texts and lists whose schemas say nothing. */
  readonly bounds?: Bounds;
  /** The sentence about a component schema that has none of its own. */
  readonly describe?: (name: string) => string | undefined;
  /** A call of each operation, by `operationId`. */
  readonly examples?: ExampleTable;
  /** What each tag is about, in the order of the document; tags without an entry come after. */
  readonly tags?: Readonly<Record<string, string>>;
}

export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: Info;
  readonly servers: readonly JsonObject[];
  readonly tags: readonly JsonObject[];
  readonly paths: Readonly<Record<string, JsonObject>>;
  readonly components:
    & Readonly<Record<"schemas" | "parameters" | "headers" | "responses", JsonObject>>
    & { readonly securitySchemes: JsonObject };
}

const SERVERS = [
  {
    url: "/",
    description: "The production server that serves this document.",
    "x-internal": false,
  },
];

/**
 * Describes the API; the same input gives the same document. Operational endpoints are left out.
 *
 * Throws where an endpoint has no rule, where its path and parameters differ, where a schema has no
 * JSON Schema form, and where one recurs without a name.
 */
export function createDocument(options: DocumentOptions): OpenApiDocument {
  const { policy, info, errors } = options;
  const endpoints = options.endpoints.filter((endpoint) => endpoint.operational !== true);
  const examples = new Map(Object.entries(options.examples ?? {}));
  const converted = convertSchemas({
    named: { ...options.schemas, Problem: createProblemSchema(errors) },
    inline: new Map(endpoints.flatMap(schemasOf)),
    ...(options.bounds && { bounds: options.bounds }),
    ...(options.describe && { describe: options.describe }),
  });
  const operations = endpoints.map((endpoint): Operation => ({
    path: templateOf(endpoint),
    method: endpoint.method.toLowerCase(),
    value: createOperation(endpoint, {
      rule: ruleOf(endpoint, policy),
      errors,
      schemas: converted.inline,
      components: converted.components,
      example: examples.get(endpoint.operationId) ?? {},
    }),
  }));
  return {
    openapi: "3.1.1",
    info,
    servers: SERVERS,
    tags: createTags(endpoints, options.tags ?? {}),
    paths: createPaths(operations),
    components: {
      schemas: converted.components,
      parameters: HEADER_PARAMETERS,
      headers: HEADERS,
      responses: refusalComponents(errors),
      securitySchemes: { oauth2: createSecurityScheme(policy) },
    },
  };
}

/** The document as it is served: the same document gives the same bytes. */
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

function createTags(
  endpoints: readonly AnyEndpoint[],
  descriptions: Readonly<Record<string, string>>,
): JsonObject[] {
  const used = new Set(endpoints.map(({ tag }) => tag));
  const known = new Map(Object.entries(descriptions));
  const names = new Set([...known.keys(), ...[...used].sort()]);
  return [...names].filter((name) => used.has(name)).map((name) => {
    const description = known.get(name);
    return description === undefined ? { name } : { name, description };
  });
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

const ISSUERS = "/.well-known/oauth-protected-resource";

/** Which issuer makes the tokens differs by deployment and the document does not, so it points there. */
function createSecurityScheme({ scopes }: Policy): JsonObject {
  return {
    type: "oauth2",
    description:
      `An access token in \`Authorization: Bearer\` (RFC 6750), usually a JWT (RFC 9068) that follows RFC8725. \`${ISSUERS}\` names the issuers of this server, whose own metadata has the real token URL (RFC 9728, RFC 8414).`,
    flows: {
      clientCredentials: {
        tokenUrl: ISSUERS,
        refreshUrl: ISSUERS,
        scopes: Object.fromEntries(scopes),
      },
    },
  };
}
