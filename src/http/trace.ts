/**
 * What is known of a request so far.
 *
 * @module
 */
import type { Principal } from "../auth/principal.ts";
import type { Connection } from "./client_address.ts";
import type { ParsedRequest } from "./request.ts";
import type { Fields } from "./response_writer.ts";
import type { Access } from "./route.ts";

/** The log record is made of it whatever happens. */
export interface Trace {
  readonly started: number;
  readonly method: string;
  readonly connection: Connection | undefined;
  requestId: string;
  origin: string | undefined;
  route: string | null;
  /** Whether it takes the time that it takes. */
  isUnbounded: boolean;
  access: Access | undefined;
  caller: Principal | undefined;
  fields: Fields;
}

// The global ones are looked up anew, and made on demand, each time that they are named.
const { crypto, performance } = globalThis;

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** A request that nothing is known of but its method. */
export function newTrace(method: string, connection: Connection | undefined): Trace {
  return {
    started: performance.now(),
    method,
    connection,
    requestId: crypto.randomUUID(),
    origin: undefined,
    route: null,
    isUnbounded: false,
    access: undefined,
    caller: undefined,
    fields: [],
  };
}

/** Takes over what the client says of the request: its id and its origin. */
export function identify(trace: Trace, { headers }: ParsedRequest): void {
  const id = headers.get("x-request-id");
  if (id !== undefined && REQUEST_ID.test(id)) trace.requestId = id;
  trace.origin = headers.get("origin");
}
