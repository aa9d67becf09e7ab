/**
 * Reads the options of an import of files.
 *
 * @module
 */
import { OperatorError } from "../../store/operator_error.ts";
import { didYouMean } from "../../shared/did_you_mean.ts";
import { createDecoder } from "./source/text.ts";
import type { ColumnType } from "./tables/column.ts";
import type { InferOptions } from "./tables/infer.ts";

export interface FileOptions extends InferOptions {
  readonly encoding: string | undefined;
  readonly timeZone: string | undefined;
  /** True if to stop after the plan. */
  readonly plan: boolean;
  /** True if to write without asking. */
  readonly yes: boolean;
}

const TYPES: readonly ColumnType[] = [
  ...["title", "rich_text", "number", "select", "multi_select", "status"] as const,
  ...["date", "checkbox", "url", "email", "phone_number"] as const,
];

type Values = Readonly<Record<string, string | boolean | undefined>>;

/** Reads the options. Throws `OperatorError` if a value is wrong. */
export function readFileOptions(values: Values): FileOptions {
  const dates = choice(values, "dates", ["dmy", "mdy"] as const);
  const decimals = choice(values, "decimals", ["point", "comma"] as const);
  const encoding = textOf(values, "encoding");
  if (encoding !== undefined) createDecoder(encoding, false);
  return {
    types: readTypes(textOf(values, "types") ?? ""),
    ...(dates && { dates }),
    ...(decimals && { decimals }),
    encoding,
    timeZone: readZone(textOf(values, "time-zone")),
    plan: values.plan === true,
    yes: values.yes === true,
  };
}

function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

function choice<T extends string>(
  values: Values,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const value = textOf(values, name);
  const found = allowed.find((one) => one === value);
  if (value !== undefined && found === undefined) {
    throw new OperatorError(`--${name} must be ${allowed.join(" or ")}: ${value}`);
  }
  return found;
}

function readTypes(text: string): ReadonlyMap<string, ColumnType> {
  const entries = text.split(",").filter((entry) => entry.trim() !== "").map((entry) => {
    const [, name = "", given = ""] = /^(.+)=([^=]+)$/.exec(entry.trim()) ?? [];
    const type = TYPES.find((one) => one === given.trim());
    if (type !== undefined) return [name.trim(), type] as const;
    const hint = didYouMean(given, TYPES) ?? `The types are ${TYPES.join(", ")}.`;
    throw new OperatorError(`--types must be like "Price=number,Due=date": ${entry}. ${hint}`);
  });
  return new Map(entries);
}

function readZone(zone: string | undefined): string | undefined {
  try {
    return zone && new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    throw new OperatorError(`--time-zone must be a zone such as Europe/Berlin: ${zone}`);
  }
}
