/**
 * The analysis: how texts become terms. An index remembers the analysis of its words.
 *
 * @module
 */

/** Raise it with every change of the terms of a text: questions are then read as before, too. */
export const ANALYSIS = 3;
