/**
 * Verification: who vouches for a page, and until when.
 *
 * @module
 */
import * as v from "valibot";
import { type Cell, EMPTY, numberCell } from "../../schema/cells.ts";
import {
  dateInput,
  dateIssues,
  type DateValue,
  dateValue,
  normalizeDate,
  toDate,
} from "../../values/dates.ts";
import { normalizeId } from "../../values/ids.ts";
import { momentTime } from "../../values/timestamps.ts";
import { referredUser, toPartialUser, userReferenceInput } from "../../values/users.ts";
import { propertyKind } from "../property_kind.ts";
import { whole } from "../shared/collect.ts";
import { NO_CONFIG } from "../shared/no_config.ts";
import { during, operator, type Operators } from "../shared/operators.ts";

const state = v.picklist(["unverified", "verified", "expired"]);
type State = v.InferOutput<typeof state>;

interface Verified {
  readonly verifiedBy: string;
  /** When it was verified, and when that ends if it does. */
  readonly date: DateValue | null;
}

const verificationInput = v.strictObject({
  state,
  verified_by: v.exactOptional(v.nullable(userReferenceInput)),
  date: v.exactOptional(v.nullable(dateInput)),
});

/** The last moment that there is: the end of a verification that never ends. */
const FOREVER = 8.64e15;

const operators: Operators = {
  status: operator(v.picklist(["verified", "expired", "none"]), (status, { now }) => {
    if (status === "none") return { is: "empty" };
    return during(status === "verified" ? { from: now } : { to: now });
  }),
};

export const verification = propertyKind({
  config: NO_CONFIG,
  input: v.nullable(verificationInput),
  output: v.object({ state, verified_by: v.nullable(referredUser), date: v.nullable(dateValue) }),
  toStored: (given, _property, { by, stored }): Verified | undefined => {
    if (given === null || given.state === "unverified") return undefined;
    const date = given.date ? toDate(given.date) : null;
    const named = given.verified_by ? normalizeId(given.verified_by.id) : undefined;
    // Nobody verifies in the name of another: only what is there already may be written back.
    const isUnchanged = stored !== undefined && stored.verifiedBy === named &&
      isSame(shown(stored), date);
    return isUnchanged ? stored : { verifiedBy: by, date };
  },
  issues: (given, _property, { pointer }) =>
    given?.date ? dateIssues(given.date, `${pointer}/date`) : [],
  toRead: (stored, _property, { now }) => {
    const verified_by = stored === undefined ? null : toPartialUser(stored.verifiedBy);
    return { state: stateOf(stored, now), verified_by, date: shown(stored) };
  },
  emptyCell: EMPTY,
  cell: (stored) => cell(stored),
  conditions: { operators, ofItems: false },
  formula: { type: "text", value: ({ state }) => state },
  collect: {
    parts: whole((read) => read.state === "unverified" ? null : JSON.stringify(read)),
    cells: ({ verified_by, date }) => verified_by === null ? [] : [cell({ date })],
  },
});

function shown(stored: Verified | undefined): DateValue | null {
  return stored?.date ? normalizeDate(stored.date) : null;
}

function cell(verified: Pick<Verified, "date">): Cell {
  return numberCell(endOf(verified));
}

function stateOf(stored: Verified | undefined, now: number): State {
  if (stored === undefined) return "unverified";
  return endOf(stored) < now ? "expired" : "verified";
}

function endOf({ date }: Pick<Verified, "date">): number {
  return date === null || date.end === null ? FOREVER : momentTime(date.end, date.time_zone);
}

function isSame(one: DateValue | null, other: DateValue | null): boolean {
  return one?.start === other?.start && one?.end === other?.end;
}
