/**
 * A step between two versions of the vendor's wire format.
 *
 * @module
 */
import type { RawInput } from "../http/endpoint.ts";
import type { AppError } from "../shared/errors.ts";
import type { Services } from "../api/shared/services.ts";
import type { Rest } from "../shared/yield_to_event_loop.ts";

/** A JSON object. */
export type Json = Record<string, unknown>;

/** A call in some version of the wire format. */
export interface NotionRequest {
  /** `operationId` of the endpoint that handles it. */
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  /** Without the question mark. */
  readonly query: string;
  /** Undefined if the endpoint takes no body. A step may change it in place. */
  readonly body: unknown;
}

/** The lookups that a step may use while it translates. */
export interface StepContext {
  /** The request as the client sent it. */
  readonly sent: NotionRequest;
  readonly services: Services;
  readonly workspace: string;
  readonly headers: RawInput["headers"];
  /** Called between two objects of a long body: lets other requests run. */
  readonly rest: Rest;
  /** Runs an endpoint of `/v2` for the same caller, in this process, and returns its reply. */
  readonly read: (request: Pick<NotionRequest, "operation" | "params">) => Promise<Json>;
}

/**
 * The differences of a version from the next one towards that of `/v2`. A step that has
 * nothing to translate returns what it got.
 */
export interface VersionStep {
  readonly version: string;
  /** Translates a request of this version to one of the next version. */
  readonly request?: (
    request: NotionRequest,
    context: StepContext,
  ) => NotionRequest | Promise<NotionRequest>;
  /** Translates a reply of the next version to one of this version; may change it in place. */
  readonly reply?: (body: Json, context: StepContext) => Json | Promise<Json>;
  /** Translates an error of the next version. */
  readonly error?: (error: AppError, context: StepContext) => AppError;
  /** True if names that the service does not know are ignored rather than refused. */
  readonly ignoresUnknown?: true;
}
