/**
 * Smallest sets of scopes as an answer, and what a given token lacks of them.
 *
 * @module
 */
import { lackingFor } from "../../policy/analysis/capabilities.ts";
import { isSatisfied } from "../../policy/analysis/formula.ts";
import { createScopeSet } from "../../policy/analysis/scope_set.ts";
import type { Io } from "../../policy/command.ts";
import { anyInWords, inWords } from "../../policy/lint/names.ts";
import type { Policy } from "../../policy/schema.ts";
import { readTokenScopes } from "./inputs.ts";
import type { Options } from "./options.ts";

/** The scopes that the token of the command line lacks. */
export interface TokenAnswer {
  readonly allowed: boolean;
  /** The smallest sets of scopes that it lacks. */
  readonly missing: readonly (readonly string[])[];
}

/** Judges the token that the command line names; undefined if it names none. */
export async function judgeToken(
  options: Options,
  { sets, policy, io }: {
    readonly sets: readonly (readonly string[])[];
    readonly policy: Policy;
    readonly io: Io;
  },
): Promise<TokenAnswer | undefined> {
  const { values } = options;
  if (!values.has("scopes") && !values.has("token")) return undefined;
  const held = await readTokenScopes(options, { policy, io });
  const formula = sets.map(createScopeSet);
  const missing = lackingFor(formula, held).map((set) => [...set]);
  return { allowed: isSatisfied(formula, held), missing };
}

/** Prints one set per line, or that the call is public, and what the token lacks. */
export function describeSets(
  sets: readonly (readonly string[])[],
  token: TokenAnswer | undefined,
): string {
  const lines = sets.some((set) => set.length === 0)
    ? ["everyone, without a token"]
    : sets.map(inWords);
  return [...lines, ...tokenLines(token)].map((line) => `${line}\n`).join("");
}

function tokenLines(token: TokenAnswer | undefined): string[] {
  if (token === undefined) return [];
  return [
    token.allowed ? "token  is enough" : `token  lacks ${anyInWords(token.missing)}`,
  ];
}
