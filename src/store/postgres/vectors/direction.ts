/**
 * Vectors as the extension has them: `halfvec`, which keeps whole numbers up to 2,048 as they are.
 *
 * @module
 */

/** The most that its index takes. */
export const MOST_DIMENSIONS = 4_000;

/** How statements name vectors of so many dimensions, and the order by nearness. */
export interface Direction {
  readonly type: string;
  readonly operator: string;
  readonly operators: string;
}

export function directionOf(schema: string, dimensions: number): Direction {
  return {
    type: `${schema}.halfvec(${dimensions})`,
    operator: `OPERATOR(${schema}.<=>)`,
    operators: `${schema}.halfvec_cosine_ops`,
  };
}

/** A packed vector as text. */
export function textOf(vector: Int8Array): string {
  return `[${vector.join(",")}]`;
}
