/**
 * Properties that show when and by whom a row was created or last edited.
 *
 * @module
 */
import * as v from "valibot";
import { numberCell } from "../../schema/cells.ts";
import { referredUser, toPartialUser } from "../../values/users.ts";
import { propertyKind } from "../property_kind.ts";
import { identified, whole } from "./collect.ts";
import { NO_CONFIG } from "./no_config.ts";
import { dates, references } from "./operators.ts";

/** A type that shows a time of the row. */
export function rowTimeKind(member: "createdTime" | "editedTime") {
  return propertyKind({
    config: NO_CONFIG,
    output: v.pipe(v.string(), v.isoTimestamp()),
    isSelfContained: true,
    toRead: (_stored, _property, { node }) => new Date(node[member]).toISOString(),
    member,
    conditions: { operators: dates, alsoNamed: ["date"] },
    formula: {
      type: "date",
      value: (start) => ({ start, end: null, time_zone: null }),
    },
    collect: {
      parts: whole((time) => time),
      cells: (time) => [numberCell(Date.parse(time))],
    },
  });
}

/** A type that shows a user of the row. */
export function rowUserKind(member: "createdBy" | "editedBy") {
  return propertyKind({
    config: NO_CONFIG,
    output: referredUser,
    toRead: (_stored, _property, { node }) => toPartialUser(node[member]),
    member,
    userIds: (_stored, row) => [row[member]],
    conditions: { operators: references, alsoNamed: ["people"] },
    formula: { type: "person", value: (user) => user },
    collect: identified,
  });
}
