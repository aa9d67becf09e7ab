/**
 * Formulas between dollar signs, told from prices as Pandoc tells them.
 *
 * @module
 */

/**
 * Whether what stands between dollar signs, these included, is a formula before this character: between
 * single ones there is no space at its edges, and no digit behind them. Between more there may be.
 */
export function isFormula(source: string, next: string): boolean {
  return source.startsWith("$$") || !/^\$\s|\s\$$/.test(source) && !/^\d/.test(next);
}
