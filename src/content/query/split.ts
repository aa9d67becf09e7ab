/**
 * Taking a filter apart: what a store can judge, and what is known only once it is computed.
 *
 * @module
 */
import type { Filter } from "./filter.ts";

/** A filter taken apart: a row fulfils it where it fulfils both; a part that is left out asks nothing. */
export interface SplitFilter {
  /** Without any computed property: what a store can judge. */
  readonly kept?: Filter;
  readonly rest?: Filter;
}

/** Takes apart what a store can judge, as much of it as must hold in any case. */
export function splitFilter(filter: Filter): SplitFilter {
  if (isKept(filter)) return { kept: filter };
  if (filter.op === "and") {
    const parts = filter.filters.map(splitFilter);
    return {
      ...joined("kept", "and", parts.flatMap(({ kept }) => kept ?? [])),
      ...joined("rest", "and", parts.flatMap(({ rest }) => rest ?? [])),
    };
  }
  if (filter.op !== "or") return { rest: filter };
  const kept = filter.filters.map((part) => splitFilter(part).kept);
  // One alternative that asks a store nothing lets every row through.
  const known = kept.flatMap((part) => part ?? []);
  return { ...joined("kept", "or", known.length < kept.length ? [] : known), rest: filter };
}

function isKept(filter: Filter): boolean {
  switch (filter.op) {
    case "and":
    case "or":
      return filter.filters.every(isKept);
    case "not":
      return isKept(filter.filter);
    case "test":
      return filter.field.kind !== "computed";
    case "items":
      return false;
  }
}

function joined(
  name: keyof SplitFilter,
  op: "and" | "or",
  filters: readonly Filter[],
): SplitFilter {
  const [first] = filters;
  if (first === undefined) return {};
  return { [name]: filters.length === 1 ? first : { op, filters } };
}
