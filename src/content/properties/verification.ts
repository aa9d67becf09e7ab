/**
 * Verification: who vouches for a page, and until when.
 *
 * @module
 */
import * as v from "valibot";
import { dateInput, dateIssues, type DateValue, dateValue, toDate } from "../values/dates.ts";
import { normalizeId } from "../values/ids.ts";
import { momentTime } from "../values/timestamps.ts";
import { EMPTY } from "../schema/cells.ts";
import { partialUser, toPartialUser, userReferenceInput } from "../values/users.ts";
import { propertyKind } from "./property_type.ts";

const state = v.picklist(["unverified", "verified", "expired"]);
type State = v.InferOutput<typeof state>;

interface Verified {
  readonly verifiedBy: string;
  /** When it was verified, and where it has an end, when that ends. */
  readonly date: DateValue | null;
}

const verificationInput = v.strictObject({
  state,
  verified_by: v.exactOptional(v.nullable(userReferenceInput)),
  date: v.exactOptional(v.nullable(dateInput)),
});

/** The last moment that there is: of a verification that never ends. */
const FOREVER = 8.64e15;

export const verification = propertyKind("verification", {
  input: v.nullable(verificationInput),
  output: v.object({ state, verified_by: v.nullable(partialUser), date: v.nullable(dateValue) }),
  emptyCell: EMPTY,
  keep: (given, _property, { by, kept }): Verified | undefined => {
    if (given === null || given.state === "unverified") return undefined;
    const date = given.date ? toDate(given.date) : null;
    const named = given.verified_by ? normalizeId(given.verified_by.id) : undefined;
    // Nobody verifies in the name of another: only what stands there already may be written back.
    const isKept = kept !== undefined && kept.verifiedBy === named && isSame(kept.date, date);
    return isKept ? kept : { verifiedBy: by, date };
  },
  issues: (given, _property, { pointer }) =>
    given?.date ? dateIssues(given.date, `${pointer}/date`) : [],
  answer: (kept, _property, { now }) => {
    const verified_by = kept === undefined ? null : toPartialUser(kept.verifiedBy);
    return { state: stateOf(kept, now), verified_by, date: kept?.date ?? null };
  },
  cells: (kept) => [{ ...EMPTY, number: endOf(kept) }],
});

function stateOf(kept: Verified | undefined, now: number): State {
  if (kept === undefined) return "unverified";
  return endOf(kept) < now ? "expired" : "verified";
}

function endOf({ date }: Verified): number {
  return date === null || date.end === null ? FOREVER : momentTime(date.end, date.time_zone);
}

function isSame(one: DateValue | null, other: DateValue | null): boolean {
  return one?.start === other?.start && one?.end === other?.end &&
    one?.time_zone === other?.time_zone;
}
