/**
 * The end of a connection that was in use.
 *
 * @module
 */

/** Says that a connection broke, or was given up, so that nobody knows what became of its statements. */
export class ConnectionCut extends Error {
  override name = "ConnectionCut";
}
