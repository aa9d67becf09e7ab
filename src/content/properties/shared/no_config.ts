/**
 * The configuration of types that have nothing to configure.
 *
 * @module
 */
import * as v from "valibot";
import type { ConfigKind } from "../property_kind.ts";

type Nothing = Readonly<Record<never, never>>;

export const NO_CONFIG: ConfigKind<Nothing, Nothing, Nothing> = {
  input: v.strictObject({}),
  output: v.object({}),
  draft: () => ({}),
  show: () => ({}),
};
