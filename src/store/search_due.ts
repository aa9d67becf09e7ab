/**
 * The order of the queue of pages whose vectors are due: by the time at which a lease ends, and before
 * any lease what nobody has taken.
 *
 * @module
 */

/** In place of a time: a commit put it there. */
export const WRITTEN = -1;

/** A new space asks for it, behind all that was written. */
export const ASKED_FOR = 0;
