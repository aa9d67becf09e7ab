/**
 * Working out what is computed of many rows, while others are served.
 *
 * @module
 */
import { createEvaluation, type Evaluation, type World } from "../content/databases/evaluation.ts";
import { createRest, type Rest } from "./others.ts";

/** Units of work in one go: a few milliseconds. */
const PORTION = 10_000;

/** An evaluation that has worked out every value of its world; others have their turns meanwhile. */
export async function workOut(world: World, rest: Rest = createRest()): Promise<Evaluation> {
  const { computed, work } = world;
  const evaluation = createEvaluation(world);
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
