/**
 * The expectations of a change, and the end of a commit whose expectations do not hold.
 *
 * @module
 */

/** Ends a transaction whose expectations do not hold. */
export class ConflictError extends Error {}

/** Ends the commit if an expectation is not met. */
export function expect(met: boolean): void {
  if (!met) throw new ConflictError();
}

/** Expects that a statement changed exactly one row. */
export function expectOne({ changes }: { readonly changes: number | bigint }): void {
  expect(Number(changes) === 1);
}
