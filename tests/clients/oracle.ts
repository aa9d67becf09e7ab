/**
 * The types of the vendor's SDKs as a judge of answers: JSON Schemas are made of them, and every object
 * is closed, so that neither a missing nor an additional member passes.
 *
 * @module
 */
import { Ajv2020, type ValidateFunction } from "ajv/2020";
import { CLIENTS } from "./install.ts";

/** The reply to a request. */
export interface Answered {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** `Notion-Version`, as it was sent. */
  readonly version: string | null;
  readonly status: number;
  /** Undefined if it was no JSON. */
  readonly answer?: unknown;
}

export interface Oracle {
  /** Returns what is wrong with an answer; null if the types say nothing of it. */
  judge(answered: Answered): Verdict | null;
}

export interface Verdict {
  /** Name of the SDK's type. */
  readonly type: string;
  readonly faults: readonly string[];
}

/** The types by route; the SDK has `:id` where the version has another name for the same thing. */
const TYPES: Readonly<Record<string, string>> = {
  "GET /pages/:id": "GetPageResponse",
  "POST /pages": "CreatePageResponse",
  "PATCH /pages/:id": "UpdatePageResponse",
  "GET /pages/:id/properties/:id": "GetPagePropertyResponse",
  "POST /pages/:id/move": "MovePageResponse",
  "GET /pages/:id/markdown": "GetPageMarkdownResponse",
  "PATCH /pages/:id/markdown": "UpdatePageMarkdownResponse",
  "GET /blocks/:id": "GetBlockResponse",
  "PATCH /blocks/:id": "UpdateBlockResponse",
  "DELETE /blocks/:id": "DeleteBlockResponse",
  "GET /blocks/:id/children": "ListBlockChildrenResponse",
  "PATCH /blocks/:id/children": "AppendBlockChildrenResponse",
  "POST /databases": "CreateDatabaseResponse",
  "GET /databases/:id": "GetDatabaseResponse",
  "PATCH /databases/:id": "UpdateDatabaseResponse",
  "POST /databases/:id/query": "QueryDatabaseResponse",
  "POST /data_sources": "CreateDataSourceResponse",
  "GET /data_sources/:id": "GetDataSourceResponse",
  "PATCH /data_sources/:id": "UpdateDataSourceResponse",
  "POST /data_sources/:id/query": "QueryDataSourceResponse",
  "GET /data_sources/:id/templates": "ListDataSourceTemplatesResponse",
  "POST /search": "SearchResponse",
  "GET /users": "ListUsersResponse",
  "GET /users/me": "GetSelfResponse",
  "GET /users/:id": "GetUserResponse",
  "POST /comments": "CreateCommentResponse",
  "GET /comments": "ListCommentsResponse",
  "GET /comments/:id": "GetCommentResponse",
  "PATCH /comments/:id": "UpdateCommentResponse",
  "DELETE /comments/:id": "DeleteCommentResponse",
  "POST /file_uploads": "CreateFileUploadResponse",
  "GET /file_uploads": "ListFileUploadsResponse",
  "GET /file_uploads/:id": "GetFileUploadResponse",
  "POST /file_uploads/:id/send": "SendFileUploadResponse",
  "POST /file_uploads/:id/complete": "CompleteFileUploadResponse",
};

const CORE = "2022-06-28";
const WITHOUT_ARCHIVED = "2026-03-11";

/** Makes the schemas of both SDKs; takes some seconds. */
export async function openOracle(): Promise<Oracle> {
  const [four, five] = await Promise.all([createValidators(4), createValidators(5)]);
  return {
    judge: (answered) => {
      const { path, status, answer } = answered;
      if (status !== 200 || answer === undefined || !/^\/v[12]\//.test(path)) return null;
      const version = path.startsWith("/v2/") ? CORE : answered.version ?? "";
      const validators = version === CORE ? four : version > CORE ? five : undefined;
      const type = typeOf(answered);
      const validate = type === undefined ? undefined : validators?.(type);
      if (type === undefined || validate === undefined) return null;
      return { type, faults: validate(typed(answer, version)) ? [] : describe(validate) };
    },
  };
}

/**
 * Returns a copy of an answer as the types would have it. They leave out members that the vendor
 * documents, and know nothing of what Recto adds.
 */
function typed(answer: unknown, version: string): unknown {
  const copy = JSON.parse(JSON.stringify(answer), (key, value) => {
    if (!isObject(value)) return value;
    // SDK 4 does not have the type `place` and named icons yet.
    if (value["type"] === "place" && version <= CORE) return toCheckbox(value);
    if (value["type"] === "icon" && version <= CORE) return EXTERNAL;
    const own = CORRECTIONS[value["type"] as string]?.(value) ?? value;
    if (key === "verified_by") delete own["object"];
    // Search tells where it found the query.
    if (own["object"] !== undefined) delete own["match"];
    // SDK 4 does not have these yet.
    if (own["object"] === "file_upload" && version <= CORE) delete own["in_trash"];
    if (["page", "database"].includes(String(own["object"])) && version <= CORE) {
      delete own["is_locked"];
    }
    if (version < WITHOUT_ARCHIVED || own["in_trash"] === undefined) return own;
    return { archived: own["in_trash"], ...own };
  });
  delete copy.request_id;
  // How a search was run, its counts and its further searches, which Recto adds to its list.
  for (const name of ["search", "total", "facets", "also"]) delete copy[name];
  return copy;
}

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** By the `type` of an object. */
const CORRECTIONS: Readonly<Record<string, (value: Json) => Json>> = {
  // `has_more` says whether there are more than the page shows.
  relation: ({ has_more: _, ...value }) => value,
  // The types have these among values, but not among the properties of a schema.
  button: (value) => "description" in value ? toCheckbox(value) : value,
  verification: (value) => "description" in value ? toCheckbox(value) : value,
  // Recto has no custom emojis: of one that another server wrote, only the id is known.
  custom_emoji: ({ custom_emoji, ...value }) => ({
    ...value,
    custom_emoji: { ...(custom_emoji as Json), name: "", url: "" },
  }),
  // In items of rollups, the types leave the elements of arrays empty.
  rollup: (value) => {
    const { rollup } = value;
    if (!isObject(rollup)) return value;
    if (rollup["type"] === "unsupported") return { ...value, rollup: NO_NUMBER };
    return "next_url" in value && rollup["type"] === "array"
      ? { ...value, rollup: { ...rollup, array: [] } }
      : value;
  },
};

/** Returns a property, or the value of one, as a checkbox. */
function toCheckbox({ button: _, verification: __, place: ___, ...value }: Json): Json {
  return { ...value, type: "checkbox", checkbox: "description" in value ? {} : false };
}

/** In place of a named icon, which only later SDKs know. */
const EXTERNAL = { type: "external", external: { url: "" } };

/** In place of a rollup that is too large, which only later SDKs know. */
const NO_NUMBER = { type: "number", number: null, function: "sum" };

/** Returns the name of the type of an answer; undefined for routes that the SDKs do not have. */
function typeOf({ method, path }: Answered): string | undefined {
  const { pathname } = new URL(path, "http://localhost");
  const route = pathname.replace(/^\/v[12]/, "");
  const exact = TYPES[`${method} ${route}`];
  if (exact !== undefined) return exact;
  const generic = route
    .replace(/^(\/\w+)\/[^/]+/, "$1/:id")
    .replace(/\/properties\/[^/]+$/, "/properties/:id");
  return TYPES[`${method} ${generic}`];
}

/** Returns validators of the types of an SDK by name; undefined for a type that it does not have. */
async function createValidators(
  sdk: number,
): Promise<(type: string) => ValidateFunction | undefined> {
  const { definitions } = await generate(sdk);
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false });
  ajv.addSchema({ definitions }, "sdk");
  return (type) =>
    Object.hasOwn(definitions, type) ? ajv.getSchema(`sdk#/definitions/${type}`) : undefined;
}

interface Schema {
  readonly definitions: Readonly<Record<string, unknown>>;
}

/** Turns the declarations of an SDK into JSON Schemas. */
async function generate(sdk: number): Promise<Schema> {
  const folder = await Deno.makeTempDir({ prefix: "recto-oracle-" });
  try {
    const compilerOptions = { strict: true, skipLibCheck: true, target: "es2022", types: [] };
    await Deno.writeTextFile(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions }));
    const child = new Deno.Command("node", {
      args: [
        "node_modules/.bin/ts-json-schema-generator",
        ...["--path", `node_modules/sdk-${sdk}/build/src/api-endpoints.d.ts`, "--type", "*"],
        ...["--tsconfig", `${folder}/tsconfig.json`, "--no-type-check", "--expose", "all"],
        ...["--out", `${folder}/schema.json`],
      ],
      cwd: CLIENTS,
    });
    const { success, stderr } = await child.output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    return JSON.parse(await Deno.readTextFile(`${folder}/schema.json`));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The faults that lie deepest: those above them only follow from them. */
function describe({ errors }: ValidateFunction): string[] {
  const faults = errors ?? [];
  const depthOf = (path: string) => path.split("/").length;
  const depth = Math.max(...faults.map(({ instancePath }) => depthOf(instancePath)));
  return faults.filter(({ instancePath }) => depthOf(instancePath) === depth)
    .map(({ instancePath, message, params }) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`
    );
}
