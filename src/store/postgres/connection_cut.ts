/**
 * The end of a connection that was in use.
 *
 * @module
 */

/** A connection broke or was given up, so that the outcome of its statements is unknown. */
export class ConnectionCut extends Error {
  override name = "ConnectionCut";
}
