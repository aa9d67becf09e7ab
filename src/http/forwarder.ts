/**
 * Requests that another process of the service handles.
 *
 * @module
 */
import type { Connection } from "./client_address.ts";
import type { Endpoint } from "./endpoint.ts";
import type { HttpRequest } from "./request.ts";

/** The members of an endpoint that decide which process handles it. */
export type Handled = Pick<Endpoint<never>, "method" | "readsOnly" | "needsPrimary">;

export interface Forwarder {
  /** Returns whether another process handles calls of this endpoint. */
  takes(endpoint: Handled): boolean;
  /**
   * Passes a request on as it is, and returns the response. Rejects with `service_unavailable` if
   * the other process does not respond.
   */
  forward(request: HttpRequest, connection: Connection | undefined): Promise<Response>;
}

/** Returns whether calls of an endpoint change nothing. */
export function isRead({ method, readsOnly }: Handled): boolean {
  return method === "GET" || readsOnly === true;
}
