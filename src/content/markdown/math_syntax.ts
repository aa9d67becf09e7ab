/**
 * Math syntax in which a dollar sign that does not start a formula is text.
 *
 * @module
 */
import { math } from "micromark-extension-math";
import { isFormula } from "./inline_math.ts";

type MathSyntax = ReturnType<typeof math>;
type Constructs = NonNullable<NonNullable<MathSyntax["text"]>[number]>;
type Tokenizer = Exclude<Constructs, readonly unknown[]>["tokenize"];

const DOLLAR = 0x24;

/** The library's extension, stricter about inline formulas. */
export function mathSyntax(): MathSyntax {
  const syntax = math();
  const constructs = [syntax.text?.[DOLLAR] ?? []].flat();
  const text = constructs.map((one) => ({ ...one, tokenize: strict(one.tokenize) }));
  return { ...syntax, text: { [DOLLAR]: text } };
}

function strict(tokenize: Tokenizer): Tokenizer {
  return function (effects, ok, nok) {
    const judge: typeof ok = (next) => {
      const token = this.events.at(-1)?.[1];
      const source = token === undefined ? "" : this.sliceSerialize(token);
      return (isFormula(source, next === null ? "" : String.fromCharCode(next)) ? ok : nok)(next);
    };
    return tokenize.call(this, effects, judge, nok);
  };
}
