/**
 * Errors for the operator, never for a client.
 *
 * @module
 */

/** Says in a sentence why an operation on a database is refused. */
export class OperatorError extends Error {
  override name = "OperatorError";
}
