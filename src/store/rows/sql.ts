/**
 * SQL statements composed of pieces, each with the values of its parameters.
 *
 * @module
 */

/** The value of a parameter. */
export type Value = string | number | null;

export interface Sql {
  readonly text: string;
  /** The values of its `?`, in order. */
  readonly values: readonly Value[];
  /** True if the reader of its rows probably stops early; see `Question`. */
  readonly isLazy?: true;
  /** True if the answer only decides how rows are found, and never which. */
  readonly isStatistic?: true;
}

/** Composes a piece of SQL: pieces are inserted as they are, other values become parameters. */
export function sql(
  strings: TemplateStringsArray,
  ...parts: readonly (Sql | Value)[]
): Sql {
  let text = strings[0] ?? "";
  const values: Value[] = [];
  parts.forEach((part, index) => {
    const piece = isSql(part) ? part : { text: "?", values: [part] };
    text += piece.text + (strings[index + 1] ?? "");
    values.push(...piece.values);
  });
  return { text, values };
}

function isSql(part: Sql | Value): part is Sql {
  return typeof part === "object" && part !== null && "text" in part;
}

/** SQL that this service wrote itself. Never pass text from a client. */
export function raw(text: string): Sql {
  return { text, values: [] };
}

/** A question whose answer only decides how rows are found, and never which. */
export function statistic(question: Sql): Sql {
  return { ...question, isStatistic: true };
}

/** Joins pieces with a separator. */
export function join(pieces: readonly Sql[], separator: string): Sql {
  return {
    text: pieces.map(({ text }) => text).join(separator),
    values: pieces.flatMap(({ values }) => values),
  };
}

/** Combines conditions in a balanced tree, because databases limit the depth of expressions. */
export function combine(conditions: readonly Sql[], op: "AND" | "OR"): Sql {
  const [first, ...others] = conditions;
  if (first === undefined) return always(op === "AND");
  if (others.length === 0) return first;
  const half = conditions.length >> 1;
  const [left, right] = [conditions.slice(0, half), conditions.slice(half)];
  return sql`(${combine(left, op)} ${raw(op)} ${combine(right, op)})`;
}

/** A condition that holds for every row, or for none. */
export function always(holds: boolean): Sql {
  // A parameter: after a constant, SQLite may not need the index and then rejects `INDEXED BY`.
  return sql`(${holds ? 1 : 0} = 1)`;
}
