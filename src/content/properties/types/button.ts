/**
 * Buttons, which have no value.
 *
 * @module
 */
import * as v from "valibot";
import { propertyKind } from "../property_kind.ts";
import { NO_CONFIG } from "../shared/no_config.ts";

export const button = propertyKind({
  config: NO_CONFIG,
  output: v.object({}),
  isSelfContained: true,
  toRead: () => ({}),
});
