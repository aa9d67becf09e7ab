/**
 * Finds a path that two patterns match, exactly: by following both at once.
 *
 * @module
 */
import { characters, type CharacterSet, exampleOf, NO_CHARACTER } from "./characters.ts";
import type { Expression } from "./expression.ts";

/** A nondeterministic finite automaton. State 0 is its start, and 1 its end. */
export interface Automaton {
  readonly states: State[];
}

interface State {
  /** States that are reached without a character. */
  readonly jumps: number[];
  readonly steps: { readonly set: CharacterSet; readonly to: number }[];
}

/** Compiles an expression (Thompson's construction). */
export function toAutomaton(expression: Expression): Automaton {
  const states: State[] = [];
  const add = (): number => states.push({ jumps: [], steps: [] }) - 1;
  const [start, end] = [add(), add()];
  connect(expression, start, end);
  return { states };

  function connect(part: Expression, from: number, to: number): void {
    if (part.kind === "character") states[from]?.steps.push({ set: part.set, to });
    else if (part.kind === "choice") { for (const item of part.items) connect(item, from, to); }
    else if (part.kind === "loop") {
      const middle = add();
      states[from]?.jumps.push(middle);
      connect(part.item, middle, middle);
      states[middle]?.jumps.push(to);
    } else {
      let at = from;
      for (const item of part.items) {
        const next = add();
        connect(item, at, next);
        at = next;
      }
      states[at]?.jumps.push(to);
    }
  }
}

/** A pair of states that both automata can be in, and how it was reached. */
interface Visit {
  readonly a: number;
  readonly b: number;
  readonly text: string;
}

const SLASH = characters("/");

/**
 * Returns a shortest path that both match; undefined if there is none. Empty segments do not count,
 * because no request with one is allowed.
 */
export function findCommonPath(a: Automaton, b: Automaton): string | undefined {
  let visits: Visit[] = [{ a: 0, b: 0, text: "" }];
  const seen = new Set<string>();
  const isNew = ({ a: left, b: right, text }: Visit): boolean => {
    const key = `${left} ${right} ${text.endsWith("/")}`;
    return !seen.has(key) && seen.add(key) !== undefined;
  };
  while (visits.length > 0) {
    const reached = closure(visits.filter(isNew), { a, b, isNew });
    const end = reached.find((visit) => visit.a === 1 && visit.b === 1);
    if (end !== undefined) return end.text;
    visits = reached.flatMap((visit) => stepsOf(visit, { a, b }));
  }
  return undefined;
}

interface Pair {
  readonly a: Automaton;
  readonly b: Automaton;
}

/** Adds all pairs that are reached without a character. */
function closure(
  visits: readonly Visit[],
  { a, b, isNew }: Pair & { readonly isNew: (visit: Visit) => boolean },
): Visit[] {
  const reached = [...visits];
  for (const visit of reached) {
    const jumps = [
      ...a.states[visit.a]?.jumps.map((to) => ({ ...visit, a: to })) ?? [],
      ...b.states[visit.b]?.jumps.map((to) => ({ ...visit, b: to })) ?? [],
    ];
    reached.push(...jumps.filter(isNew));
  }
  return reached;
}

function stepsOf({ a: from, b: other, text }: Visit, { a, b }: Pair): Visit[] {
  const steps = a.states[from]?.steps ?? [];
  return steps.flatMap((left) =>
    (b.states[other]?.steps ?? []).flatMap((right) => {
      const common = left.set & right.set;
      // A step over a slash and one over another character lead to different pairs.
      return [common & SLASH, common & ~SLASH].flatMap((set) => {
        const sign = exampleOf(set);
        if (sign === undefined || set === NO_CHARACTER) return [];
        return sign === "/" && text.endsWith("/")
          ? []
          : [{ a: left.to, b: right.to, text: text + sign }];
      });
    })
  );
}
