/**
 * The type of a block in requests, which follows from the table of block types.
 *
 * @module
 */
import type * as v from "valibot";
import type { BLOCK_TYPES, BlockType } from "./types.ts";

type Specs = typeof BLOCK_TYPES;

/** The types that clients can create. */
type CreatedType = {
  [T in BlockType]: Specs[T] extends { readonly notCreated: string } ? never : T;
}[BlockType];

type Given<F> = F extends { readonly input: v.GenericSchema<unknown, infer Input> } ? Input : never;

type RequiredKey<Fields> = {
  [Key in keyof Fields]: Fields[Key] extends { readonly required: true } ? Key : never;
}[keyof Fields];

type FieldsInput<Fields> =
  & { readonly [Key in RequiredKey<Fields>]: Given<Fields[Key]> }
  & { readonly [Key in Exclude<keyof Fields, RequiredKey<Fields>>]?: Given<Fields[Key]> };

type ChoiceInput<Spec> = Spec extends { readonly choice: { readonly write: infer Write } }
  ? { readonly type?: keyof Write } & { readonly [Key in keyof Write]?: Given<Write[Key]> }
  : unknown;

type ChildrenInput<Spec> = Spec extends { readonly children: "none" } ? unknown
  : Spec extends { readonly fewestChildren: number } ? { readonly children: readonly BlockInput[] }
  : { readonly children?: readonly BlockInput[] };

type ValueInput<Spec extends { readonly fields: unknown }> =
  & FieldsInput<Spec["fields"]>
  & ChoiceInput<Spec>
  & ChildrenInput<Spec>;

type ValueInputs = { readonly [T in CreatedType]?: ValueInput<Specs[T]> };

/** A block with all blocks below it. It has exactly one key of a type, with the value. */
export interface BlockInput extends ValueInputs {
  readonly object?: "block";
  readonly type?: BlockType;
}
