/**
 * Colours, by the names that exports give them.
 *
 * @module
 */
import type { Color } from "../../../content/values/colors.ts";

const NAMES = [
  "gray",
  "brown",
  "orange",
  "yellow",
  "green",
  "blue",
  "purple",
  "pink",
  "red",
] as const;

/** `teal` is what exports call green. */
export const COLORS: ReadonlyMap<string, Color> = new Map<string, Color>([
  ...NAMES.map((name): [string, Color] => [name, name]),
  ...NAMES.map((name): [string, Color] => [`${name}_background`, `${name}_background`]),
  ["teal", "green"],
  ["teal_background", "green_background"],
]);
