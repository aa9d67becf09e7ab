/**
 * The median of numbers that are added one by one. Sorting them at the end would take as long as
 * there are numbers.
 *
 * @module
 */
import { BinaryHeap, type Heap } from "../../shared/std.ts";

export interface RunningMedian {
  add(number: number): void;
  /** The middle number so far, or the average of the middle two; null if there are none. */
  value(): number | null;
}

/** Starts a median of no numbers. */
export function startMedian(): RunningMedian {
  // The lower half has as many numbers as the upper one, or one more.
  const lower = new BinaryHeap<number>((a, b) => b - a);
  const upper = new BinaryHeap<number>((a, b) => a - b);
  return {
    add(number) {
      (number < (upper.peek() ?? Infinity) ? lower : upper).push(number);
      if (lower.length > upper.length + 1) moveFirst(lower, upper);
      if (upper.length > lower.length) moveFirst(upper, lower);
    },
    value() {
      const [low = null, high = null] = [lower.peek(), upper.peek()];
      if (low === null || high === null || lower.length > upper.length) return low;
      return (low + high) / 2;
    },
  };
}

function moveFirst(from: Heap<number>, to: Heap<number>): void {
  const first = from.pop();
  if (first !== undefined) to.push(first);
}
