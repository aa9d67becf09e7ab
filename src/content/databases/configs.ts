/**
 * Property configurations: what a client gives over what was there before.
 *
 * @module
 */
import { optionsOf } from "../properties/options_of.ts";
import type { Drafting } from "../properties/property_kind.ts";
import { kindOf } from "../properties/registry.ts";
import type { Property, PropertyType } from "../schema/property.ts";

export interface ConfigDrafting extends Drafting {
  /** The property as it was, of whatever type; undefined for a new one. */
  readonly current: Property | undefined;
}

/** Returns the configuration of this type after an input that its schema accepted. */
export function draftConfig(
  type: PropertyType,
  input: unknown,
  { current, ...drafting }: ConfigDrafting,
): object {
  const same = current?.type === type ? current : undefined;
  const config = kindOf({ type }).config.draft(
    input,
    { same, options: optionsOf(current) },
    drafting,
  );
  return { type, ...config };
}
