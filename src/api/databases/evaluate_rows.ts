/**
 * Working out what is computed of many rows, while others are served.
 *
 * @module
 */
import {
  createEvaluation,
  type Evaluation,
  type EvaluationInput,
} from "../../content/databases/evaluation.ts";
import { createRest, type Rest } from "../shared/yield_to_event_loop.ts";

/** Units of work in one go: a few milliseconds. */
const PORTION = 10_000;

/** An evaluation that has worked out every value of its world; others have their turns meanwhile. */
export async function evaluateRows(
  input: EvaluationInput,
  rest: Rest = createRest(),
): Promise<Evaluation> {
  const { computed, budget: work } = input;
  const evaluation = createEvaluation(input);
  let pauseAt = work.left - PORTION;
  for (const { property, rows } of computed) {
    for (const row of rows) {
      evaluation.valueOf(row, property);
      const resting = rest(work.left <= pauseAt);
      if (resting === undefined) continue;
      await resting;
      pauseAt = work.left - PORTION;
    }
  }
  return evaluation;
}
