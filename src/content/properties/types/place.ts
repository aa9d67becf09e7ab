/**
 * Places on a map.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../../shared/component.ts";
import { EMPTY, textCell } from "../../schema/cells.ts";
import { LIMITS } from "../../values/limits.ts";
import { propertyKind } from "../property_kind.ts";
import { textCells, whole } from "../shared/collect.ts";
import { NO_CONFIG } from "../shared/no_config.ts";
import { emptiness } from "../shared/operators.ts";

const latitude = v.pipe(
  v.number(),
  v.minValue(-90),
  v.maxValue(90),
  v.description("Latitude in degrees."),
);
const longitude = v.pipe(
  v.number(),
  v.minValue(-180),
  v.maxValue(180),
  v.description("Longitude in degrees."),
);
const text = v.nullable(v.pipe(v.string(), v.maxLength(LIMITS.textContent)));

/** A place in a request. */
export const placeInput = v.strictObject({
  lat: latitude,
  lon: longitude,
  name: v.exactOptional(text),
  address: v.exactOptional(text),
  aws_place_id: v.exactOptional(text),
  google_place_id: v.exactOptional(text),
});
component(placeInput, "PlaceInput", "A place to write, by its coordinates.");

/** A place in responses. */
export const placeValue = v.object({
  lat: v.number(),
  lon: v.number(),
  name: v.nullable(v.string()),
  address: v.nullable(v.string()),
  aws_place_id: v.nullable(v.string()),
  google_place_id: v.nullable(v.string()),
});
component(placeValue, "PlaceValue", "A place: its coordinates and, if known, name and address.");
type Place = v.InferOutput<typeof placeValue>;

export const place = propertyKind({
  config: NO_CONFIG,
  input: v.nullable(placeInput),
  output: v.nullable(placeValue),
  toStored: (given): Place | undefined => {
    if (given === null) return undefined;
    const { lat, lon, name = null, address = null } = given;
    const { aws_place_id = null, google_place_id = null } = given;
    // JSON has one zero only.
    return { lat: lat + 0, lon: lon + 0, name, address, aws_place_id, google_place_id };
  },
  isSelfContained: true,
  toRead: (stored) => stored ?? null,
  emptyCell: EMPTY,
  cell: (stored) => textCell(label(stored)),
  conditions: { operators: emptiness },
  formula: { type: "text", value: (read) => read && label(read) },
  collect: {
    parts: whole((read) => read && JSON.stringify(read)),
    cells: (read) => textCells(read && label(read)),
  },
  texts: ({ name, address }) => [name ?? "", address ?? ""],
});

/** Returns the label of a place: its name, its address or its coordinates. */
function label({ lat, lon, name, address }: Place): string {
  return name || address || `${lat}, ${lon}`;
}
