/**
 * The state of a request that its log record and error response need, collected on the way.
 *
 * @module
 */
import type { Principal } from "../auth/principal.ts";
import type { Connection } from "./client_address.ts";
import type { ParsedRequest } from "./request.ts";
import type { Reply } from "./endpoint.ts";
import type { Fields } from "./response_writer.ts";
import type { Access } from "./route.ts";

/** Filled step by step, so that it is complete up to the step that failed. */
export interface Trace {
  readonly started: number;
  readonly method: string;
  readonly connection: Connection | undefined;
  requestId: string;
  origin: string | undefined;
  traceparent: string | undefined;
  route: string | null;
  /** True if the time limit does not apply. */
  isUnbounded: boolean;
  /** True once the client got an error, so that further work for the request is in vain. */
  hasFailed: boolean;
  /** True if another process handles the request, and logs it. */
  isForwarded: boolean;
  access: Access | undefined;
  caller: Principal | undefined;
  fields: Fields;
  /**
   * The nonce for the client's next DPoP proof, if it should use another (RFC 9449 section 8.2).
   */
  nonce: string | undefined;
  /** The parameters in the path; empty before it is matched. */
  params: Readonly<Record<string, string>>;
  /** The handler's reply. */
  reply: Reply | undefined;
}

const NO_PARAMS = {};

// The getters of the globals run each time that they are named.
const { crypto, performance } = globalThis;

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Creates the trace of a request that is not parsed yet. */
export function newTrace(method: string, connection: Connection | undefined): Trace {
  return {
    started: performance.now(),
    method,
    connection,
    requestId: crypto.randomUUID(),
    origin: undefined,
    traceparent: undefined,
    route: null,
    isUnbounded: false,
    hasFailed: false,
    isForwarded: false,
    access: undefined,
    caller: undefined,
    fields: [],
    nonce: undefined,
    params: NO_PARAMS,
    reply: undefined,
  };
}

/** Takes request ID, origin and the span of the sender from the header fields. */
export function identify(trace: Trace, { headers }: ParsedRequest): void {
  const id = headers.get("x-request-id");
  if (id !== undefined && REQUEST_ID.test(id)) trace.requestId = id;
  trace.origin = headers.get("origin");
  trace.traceparent = headers.get("traceparent");
}
