/**
 * The order of the queue of pages whose vectors are due: pages without a lease first, then by the end
 * of the lease.
 *
 * @module
 */

/** In place of a time: a commit put the page into the queue. */
export const WRITTEN = -1;

/** In place of a time: a new space needs the page, after all pages that commits put there. */
export const ASKED_FOR = 0;
