/**
 * The colours of text, blocks and options.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";

const PLAIN = [
  "default",
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

const BACKGROUNDS = [
  "default_background",
  "gray_background",
  "brown_background",
  "orange_background",
  "yellow_background",
  "green_background",
  "blue_background",
  "purple_background",
  "pink_background",
  "red_background",
] as const;

/** The colour of a text or a block, or of what is behind it. */
export const color = v.picklist([...PLAIN, ...BACKGROUNDS]);
component(color, "Color", "Color of text or of a block, or of its background.");
export type Color = v.InferOutput<typeof color>;

const [, ...WITHOUT_DEFAULT] = PLAIN;

/** The colour of a named icon. */
export const iconColor = v.picklist([...WITHOUT_DEFAULT, "lightgray"]);

/** The colour of a select option or group. */
export const optionColor = v.picklist(PLAIN);
export type OptionColor = v.InferOutput<typeof optionColor>;
