/**
 * Computes formulas and rollups of many rows, with pauses for other requests.
 *
 * @module
 */
import {
  createEvaluation,
  type Evaluation,
  type EvaluationInput,
} from "../../content/databases/evaluation.ts";
import { isExhausted } from "../../content/formulas/compute_budget.ts";
import { createRest, type Rest } from "../../shared/yield_to_event_loop.ts";

/** Units of work between two pauses: a few milliseconds. */
const PORTION = 10_000;

/** Returns an evaluation in which every value is computed. */
export async function evaluateRows(
  input: EvaluationInput,
  rest: Rest = createRest(),
): Promise<Evaluation> {
  const { computed, budget: work } = input;
  const evaluation = createEvaluation(input);
  let pauseAt = work.left - PORTION;
  for (const { property, rows } of computed) {
    for (const row of rows) {
      // A row may be related to any number of others.
      while (!isExhausted(work) && evaluation.prepareMore(row, property)) await rest();
      evaluation.valueOf(row, property);
      const resting = rest(work.left <= pauseAt);
      if (resting === undefined) continue;
      await resting;
      pauseAt = work.left - PORTION;
    }
  }
  return evaluation;
}
