/**
 * An endpoint is one value that router, validation, policy and OpenAPI document all read.
 *
 * @module
 */
import type * as v from "valibot";
import type { Principal } from "../auth/principal.ts";
import type { Encoded } from "./encoding.ts";
import type { Incoming } from "./incoming.ts";
import type { ByteRange, Ranged } from "./range.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Any object schema without `transform` and `check`, which have no JSON Schema form. */
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

/** A retried write: the first answer under this key is kept with its effect. */
export interface IdempotencyKey {
  /** Hash of caller, method, path and key. */
  readonly key: string;
  /** Hash of the request's body. */
  readonly fingerprint: string;
}

/** One call of an endpoint, checked: what its handler works from. */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Whether the body is so large that what is done with it should let others be served in between. */
  readonly isLarge: boolean;
  readonly caller: Principal;
  /** UUID of this request, as in the log and in `X-Request-Id`. */
  readonly requestId: string;
  /** Milliseconds since the epoch at which the request was read. */
  readonly now: number;
  readonly idempotency: IdempotencyKey | undefined;
  /**
   * Judges `If-Match` and, on a write, `If-None-Match` against the current strong entity tag (RFC 9110
   * section 13.1); throws `precondition_failed`. A handler that writes calls it on what it read.
   */
  readonly requireMatch: (etag: string) => void;
  /** Whether a read under this tag is answered with 304, so that its body need not be made. */
  readonly isHeld: (etag: string) => boolean;
  /** The part of an answer that a GET asks for by `Range`; see {@linkcode readRange}. */
  readonly rangeOf: (whole: Ranged) => ByteRange | undefined;
  /** The body of an endpoint that `streams`; no other has one. */
  readonly incoming: Incoming | undefined;
  /** What the client would rather have: JSON, or one of the endpoint's `alternatives`. */
  readonly mediaType: string;
  /**
   * Lifts the time limit of this request: what it asked for is being done, and the client is told the
   * outcome whenever it is there.
   */
  readonly outlast: () => void;
}

/** A successful answer: 200, 206 of a part, or 302 to where it is. */
export interface Reply {
  readonly status?: 206 | 302;
  /** Fields of this answer, in place of those of the same name that every answer has. */
  readonly fields?: Readonly<Record<string, string>>;
  /**
   * A value to serialize, or text that is ready to send as it is, at once or part by part; bytes of it
   * under a `coding`.
   */
  readonly body:
    | Readonly<Record<string, unknown>>
    | string
    | Uint8Array<ArrayBuffer>
    | ReadableStream<Uint8Array>;
  /** Of a ready body that is no JSON; default `application/json`. */
  readonly contentType?: string;
  /** What a page for people may load; by default an answer may load nothing. */
  readonly contentSecurityPolicy?: string;
  /** The same answer under the content codings that it is kept under. */
  readonly encoded?: Encoded;
  /** The content coding of `body`; by default none. */
  readonly coding?: string;
  /** Entity tag, quotes included; `hash` has it made of the bytes that are sent. */
  readonly etag?: string | "hash";
  /** Default `private, no-cache`. */
  readonly cacheControl?: string;
  /** Whether this very object answers every call, so that its answer is made once and copied. */
  readonly constant?: boolean;
  /** Whether this is the kept answer of an earlier request with the same `Idempotency-Key`. */
  readonly replayed?: boolean;
}

/** What stands in `endpoint({ … })`. */
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
  /** What the OpenAPI document shows; not for an endpoint that is `operational`. */
  readonly example?: Example;
  /** Media types of text that it can answer with in place of JSON. */
  readonly alternatives?: readonly string[];
  /** Takes its body as it comes, and the time that it takes; bounded in pace alone. */
  readonly streams?: true;
  /** Polled by monitors: not limited by address, and logged only if it fails. */
  readonly probe?: true;
  /** Outside `/v2` and its policy: open to everyone. */
  readonly operational?: true;
  handle(call: Call<Params, Query, Body>, services: Services): Promise<Reply> | Reply;
}

/** An endpoint with its input types put away: the pipeline hands each handler what its schemas made. */
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
  // Sound because input.ts calls `handle` only with the output of these very schemas.
  return spec as Endpoint<Services>;
}

/** The name of an endpoint, letter for letter its key in the policy. */
export function routeName(endpoint: { readonly method: Method; readonly path: string }): string {
  return `${endpoint.method} ${endpoint.path}`;
}
