/**
 * Statements put together from pieces, each piece with the values of its parameters.
 *
 * @module
 */

/** A parameter. */
export type Value = string | number | null;

export interface Sql {
  readonly text: string;
  /** Of its `?`, in their order. */
  readonly values: readonly Value[];
}

/** Pieces are put in as they are, everything else becomes a parameter. */
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

/** A name or keyword of our own; never a text that a client sent. */
export function raw(text: string): Sql {
  return { text, values: [] };
}

/** The pieces in a row with this between them. */
export function join(pieces: readonly Sql[], separator: string): Sql {
  return {
    text: pieces.map(({ text }) => text).join(separator),
    values: pieces.flatMap(({ values }) => values),
  };
}

/** Whether all hold, or any; balanced, because databases bound how deep an expression may be. */
export function combine(conditions: readonly Sql[], op: "AND" | "OR"): Sql {
  const [first, ...others] = conditions;
  if (first === undefined) return always(op === "AND");
  if (others.length === 0) return first;
  const half = conditions.length >> 1;
  const [left, right] = [conditions.slice(0, half), conditions.slice(half)];
  return sql`(${combine(left, op)} ${raw(op)} ${combine(right, op)})`;
}

/** Holds for every row, or for none. */
export function always(holds: boolean): Sql {
  // A parameter, because SQLite refuses a statement that names an index but needs no table.
  return sql`(${holds ? 1 : 0} = 1)`;
}
