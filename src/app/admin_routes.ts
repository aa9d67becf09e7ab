/**
 * Which routes are served on which port.
 *
 * @module
 */
import type { Route } from "../http/route.ts";

export interface DividedRoutes<S> {
  /** Routes on the port that clients use. */
  readonly open: readonly Route<S>[];
  /** Routes on the admin port. */
  readonly admin: readonly Route<S>[];
}

/** Without an admin port, all routes are open. */
export function divideRoutes<S>(
  routes: readonly Route<S>[],
  hasAdminPort: boolean,
): DividedRoutes<S> {
  return {
    open: routes.filter(({ endpoint }) => !hasAdminPort || endpoint.adminPort !== "only"),
    admin: routes.filter(({ endpoint }) => endpoint.adminPort !== undefined),
  };
}
