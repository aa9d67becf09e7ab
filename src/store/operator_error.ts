/**
 * Errors that are told to an operator, and to no client.
 *
 * @module
 */

/** Says as a sentence why something is not done with a database. */
export class OperatorError extends Error {
  override name = "OperatorError";
}
