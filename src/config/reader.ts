/**
 * Reading variables one by one.
 *
 * @module
 */
import type { Environment, Variable } from "./config.ts";

export const ORIGIN = {
  pattern: /^https?:\/\/[A-Za-z0-9.:[\]-]+$/,
  form: "an origin such as https://recto.example, without a path",
};

export interface Form {
  readonly pattern: RegExp;
  readonly form: string;
}

export interface Reader {
  text(name: Variable): string | undefined;
  matching<T>(name: Variable, form: Form, convert: (text: string) => T): T | undefined;
  oneOf<T extends string>(name: Variable, values: readonly T[]): T | undefined;
}

/** Reads variables one by one and keeps what is wrong with them; an empty one counts as absent. */
export function reader(environment: Environment, issues: string[]): Reader {
  const text = (name: Variable): string | undefined => environment(name) || undefined;
  return {
    text,
    matching(name, { pattern, form }, convert) {
      const value = text(name);
      if (value === undefined) return undefined;
      if (pattern.test(value)) return convert(value);
      issues.push(`${name} must be ${form}: "${value}"`);
      return undefined;
    },
    oneOf(name, values) {
      const value = text(name);
      const known = values.find((one) => one === value);
      if (value !== undefined && known === undefined) {
        issues.push(`${name} must be one of ${values.join(", ")}: "${value}"`);
      }
      return known;
    },
  };
}
