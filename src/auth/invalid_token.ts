/**
 * Why a token was refused: for the log alone, since a caller hears one sentence for every cause.
 *
 * INVARIANT: the reason is written here or by the operator, and holds nothing of the token.
 * The authenticator turns it into the answer; no other part writes a 401 for a bad token.
 */
export class InvalidToken extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.name = "InvalidToken";
  }
}
