/**
 * Users.
 *
 * @module
 */
import * as v from "valibot";
import { EMPTY, keyCell } from "../../schema/cells.ts";
import { normalizeId } from "../../values/ids.ts";
import { LIMITS } from "../../values/limits.ts";
import { referredUser, toPartialUser, userReferenceInput } from "../../values/users.ts";
import { propertyKind } from "../property_kind.ts";
import { identifiedList } from "../shared/collect.ts";
import { NO_CONFIG } from "../shared/no_config.ts";
import { references } from "../shared/operators.ts";
import { unique } from "../shared/unique.ts";

export const people = propertyKind({
  config: NO_CONFIG,
  input: v.pipe(v.array(userReferenceInput), v.maxLength(LIMITS.people)),
  output: v.array(referredUser),
  item: referredUser,
  toStored: (given): readonly string[] | undefined =>
    unique(given.map(({ id }) => normalizeId(id))),
  toRead: (stored) => (stored ?? []).map(toPartialUser),
  emptyCell: EMPTY,
  cells: (stored) => stored.map(keyCell),
  userIds: (stored) => stored ?? [],
  conditions: { operators: references },
  formula: { type: "people", value: (users) => users },
  collect: identifiedList,
});
