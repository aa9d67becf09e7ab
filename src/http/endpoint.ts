/**
 * An endpoint: one value that router, validation, policy and OpenAPI document all read.
 *
 * @module
 */
import type * as v from "valibot";
import type { Principal } from "../auth/principal.ts";
import type { Encoded } from "./encoding.ts";
import type { Incoming } from "./incoming.ts";
import type { FieldPath } from "./redact.ts";
import type { ByteRange, RangeTarget } from "./range.ts";
import type { Text } from "../shared/long_text.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Any object schema without `transform` and `check`, which JSON Schema cannot express. */
export type ObjectSchema = v.GenericSchema<unknown, Record<string, unknown>>;
export type AnySchema = v.GenericSchema<unknown, unknown>;

/** A group of endpoints in the OpenAPI document. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

export type Json = Readonly<Record<string, unknown>>;

/** A call that succeeds. */
export interface Example {
  /** The body that is sent, if the endpoint has one. */
  readonly request?: Json;
  readonly response: Json;
}

/** Identifies a retried write: the response of the first one is stored together with its effect. */
export interface IdempotencyKey {
  /** Hash of caller, method, path and key. */
  readonly key: string;
  /** Hash of the request's body. */
  readonly fingerprint: string;
}

/** The input of an endpoint that validates it itself, as it was sent. */
export interface RawInput {
  readonly headers: ReadonlyMap<string, string>;
  readonly params: Readonly<Record<string, string>>;
  /** Without the question mark. */
  readonly query: string;
  /** Parsed JSON; undefined if the endpoint takes no body. */
  readonly body: unknown;
  /** Length of the body in bytes. */
  readonly bodyBytes: number;
  /** Fields that the caller may not see. The response is redacted like any other. */
  readonly hidden: readonly FieldPath[];
}

/** A validated call of an endpoint. */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** True if the body is so large that processing it should yield to other requests. */
  readonly isLarge: boolean;
  readonly caller: Principal;
  /** Fields that the caller may not see. */
  readonly hidden: readonly FieldPath[];
  /** True if fields may be removed from the response, so that its JSON must not be a stream. */
  readonly isRedacted: boolean;
  /** UUID of this request, as in the log and in `X-Request-Id`. */
  readonly requestId: string;
  /** When the request was read, in milliseconds since the epoch. */
  readonly now: number;
  readonly idempotency: IdempotencyKey | undefined;
  /**
   * Checks `If-Match` and, on a write, `If-None-Match` against the current strong entity tag (RFC
   * 9110 section 13.1); throws `precondition_failed`. A handler that writes must call it.
   */
  readonly requireMatch: (etag: string) => void;
  /**
   * Returns whether the response to a read with this tag is 304, so that the handler can skip the
   * body.
   */
  readonly isNotModified: (etag: string) => boolean;
  /** Returns the byte range that a GET requests by `Range`; see {@linkcode readRange}. */
  readonly rangeOf: (whole: RangeTarget) => ByteRange | undefined;
  /** The body, if the endpoint `streams`. */
  readonly incoming: Incoming | undefined;
  /** Set if the endpoint is `raw`; `params`, `query` and `body` are undefined then. */
  readonly raw?: RawInput | undefined;
  /** The media type that the client prefers: JSON, or one of the endpoint's `alternatives`. */
  readonly mediaType: string;
  /**
   * Lifts the time limit of this request, because its effect can no longer be undone: the client
   * receives the outcome however long it takes.
   */
  readonly liftTimeLimit: () => void;
  /**
   * Throws if the time limit of this request has passed. Long work calls it between its steps, because
   * nobody waits for the outcome any more.
   */
  readonly requireAwaited: () => void;
}

/** A successful reply: 200, 206 with a byte range, or 302. */
export interface Reply {
  readonly status?: 206 | 302;
  /** Header fields; they replace fields of the same name that every response has. */
  readonly fields?: Readonly<Record<string, string>>;
  /**
   * A value to serialize as JSON, or text to send as it is, as a string, in pieces, as bytes (under
   * `coding` if that is set), or as a stream.
   */
  readonly body:
    | Readonly<Record<string, unknown>>
    | Text
    | Uint8Array<ArrayBuffer>
    | ReadableStream<Uint8Array>;
  /** Default `application/json`. */
  readonly contentType?: string;
  /** The sources from which a page may load; by default none. */
  readonly contentSecurityPolicy?: string;
  /** The same reply under other content codings. */
  readonly encoded?: Encoded;
  /** The content coding of `body`; default none. */
  readonly coding?: string;
  /** Entity tag with its quotes; `hash` computes it from the body. */
  readonly etag?: string | "hash";
  /** Default `private, no-cache`. */
  readonly cacheControl?: string;
  /**
   * True if every call replies with this same object, so that its response is created once and
   * copied.
   */
  readonly constant?: boolean;
  /** True if this is the stored reply to an earlier request with the same `Idempotency-Key`. */
  readonly replayed?: boolean;
}

/** The declaration of an endpoint. */
export interface EndpointSpec<Services, Params, Query, Body> {
  readonly method: Method;
  /** URLPattern pathname, as the policy names it: `/v2/pages/:page_id`. */
  readonly path: string;
  /** Method name in generated clients: lowerCamel verb and noun. */
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly params?: v.GenericSchema<unknown, Params>;
  readonly query?: v.GenericSchema<unknown, Query>;
  readonly body?: v.GenericSchema<unknown, Body>;
  readonly response: AnySchema;
  /** The example in the OpenAPI document; not for an endpoint that is `operational`. */
  readonly example?: Example;
  /** Other text media types that it offers besides JSON. */
  readonly alternatives?: readonly string[];
  /**
   * Takes a `text/markdown` body as well: returns the JSON body that it stands for. The query is
   * for such bodies alone.
   */
  readonly fromMarkdown?: (markdown: string, query: Query) => unknown;
  /**
   * Takes a body of JSON Lines as well, each of which is a body of its own: does what all of them
   * ask for, or nothing. The reply is in JSON Lines, too.
   */
  handleLines?(
    call: Call<Params, Query, readonly Body[]>,
    services: Services,
  ): Promise<Reply> | Reply;
  /**
   * Validates its own input, which may have another form than the schemas say, and replies in JSON
   * whatever the client accepts. Its body is read if it has a schema.
   */
  readonly raw?: true;
  /** Streams its body, without a time limit; only the pace is limited. */
  readonly streams?: true;
  /** Changes nothing although it is a POST, so that any process of a service may handle it. */
  readonly readsOnly?: true;
  /** Needs what only one process of a service has: vectors, counts, or the state of storage. */
  readonly needsPrimary?: true;
  /** Polled by monitors: not rate-limited, and logged only if it fails. */
  readonly probe?: true;
  /** Outside the API and its policy: public. */
  readonly operational?: true;
  /** If there is an admin port: whether it is served there alone, or there as well. */
  readonly adminPort?: "only" | "also";
  handle(call: Call<Params, Query, Body>, services: Services): Promise<Reply> | Reply;
}

/**
 * An endpoint without its input types: the pipeline passes each handler the output of its own
 * schemas.
 */
export type Endpoint<Services> = EndpointSpec<Services, unknown, unknown, unknown>;

/**
 * Declares an endpoint.
 *
 * ```ts
 * endpoint({
 *   method: "GET",
 *   path: "/v2/users/:user_id",
 *   params: v.strictObject({ user_id: userIdSchema }),
 *   response: userSchema,
 *   handle: ({ params, caller }, { store }) => readUser(store, caller, params.user_id),
 *   …
 * })
 * ```
 */
export function endpoint<Services, Params = unknown, Query = unknown, Body = unknown>(
  spec: EndpointSpec<Services, Params, Query, Body>,
): Endpoint<Services> {
  // Sound because the pipeline calls `handle` only with the output of these schemas.
  return spec as Endpoint<Services>;
}

/** Returns the name of an endpoint, which is its key in the policy. */
export function routeName(endpoint: { readonly method: Method; readonly path: string }): string {
  return `${endpoint.method} ${endpoint.path}`;
}
