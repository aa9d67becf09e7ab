/**
 * Validates large values part by part, so that other requests are served in between.
 *
 * A validation by valibot cannot pause. So it is given up after some milliseconds and begun again, and
 * what it has found to be valid is not validated again.
 *
 * @module
 */
import * as v from "valibot";
import { yieldToEventLoop } from "./yield_to_event_loop.ts";

type Schema = v.GenericSchema<unknown, unknown>;
type Config = v.Config<v.BaseIssue<unknown>>;

export interface PartValidator {
  /** Validates the parts of a value, with pauses, until all are known or one is invalid. */
  validateParts(schema: Schema, value: unknown): Promise<void>;
  /** Like `v.safeParse()`, but does not validate again which parts are known to be valid. */
  safeParse(schema: Schema, value: unknown, config?: Config): v.SafeParseResult<Schema>;
}

/** Milliseconds of validation between two pauses. */
const SLICE = 5;
/**
 * Parts that are validated between two pauses, however long they take: each run looks through all of
 * those that are known, which would take most of the time of a thread that gets little of it.
 */
const LEAST = 200;
/** How often a part is changed: each validates all of it again that is no part of its own. */
const REPAIRS = 8;

export interface PartValidatorOptions {
  /** Replace `SLICE` and `LEAST`; do not change the results. */
  readonly slice?: number;
  readonly least?: number;
  /** Changes an invalid part, which is validated again then; returns whether it did. */
  readonly repair?: (issues: readonly v.BaseIssue<unknown>[]) => boolean;
}

interface Run extends Required<PartValidatorOptions> {
  /** The parts that are valid, and what their schemas have made of them. */
  readonly valid: Map<Schema, Map<object, unknown>>;
  /** When the run is given up; undefined until it comes to the first part that is not known. */
  end: number | undefined;
  /** Parts that this run has validated. */
  validated: number;
  /** True if a part stays invalid: what contains it would change it again. */
  isBeyondRepair: boolean;
}

/** The run of this turn of the event loop. */
let current: Run | undefined;

class Pause extends Error {}

/**
 * Creates a validator of one value, in which meanwhile nothing changes but that invalid members are
 * removed.
 */
export function createPartValidator(
  { slice = SLICE, least = LEAST, repair = () => false }: PartValidatorOptions = {},
): PartValidator {
  const valid: Run["valid"] = new Map();
  function run<T>(validate: () => T, end?: number): T {
    current = { valid, slice, least, repair, end, validated: 0, isBeyondRepair: false };
    try {
      return validate();
    } finally {
      current = undefined;
    }
  }
  function hasPaused(schema: Schema, value: unknown): boolean {
    try {
      run(() => v.safeParse(schema, value, { abortEarly: true }));
      return false;
    } catch (thrown) {
      if (thrown instanceof Pause) return true;
      throw thrown;
    }
  }
  return {
    validateParts: async (schema, value) => {
      while (hasPaused(schema, value)) await yieldToEventLoop();
    },
    safeParse: (schema, value, config) => run(() => v.safeParse(schema, value, config), Infinity),
  };
}

/**
 * Makes the values of a schema parts that a {@linkcode PartValidator} validates one by one; changes the
 * schema and returns it. Only objects are parts.
 */
export function part<S extends v.GenericSchema>(schema: S): S {
  const validate = schema["~run"].bind(schema);
  const run: S["~run"] = (dataset, config) => {
    const { value } = dataset;
    if (current === undefined || typeof value !== "object" || value === null) {
      return validate(dataset, config);
    }
    const valid = current.valid.getOrInsertComputed(schema, () => new Map());
    if (valid.has(value)) return { typed: true, value: valid.get(value) };
    current.end ??= performance.now() + current.slice;
    if (current.validated >= current.least && performance.now() > current.end) throw new Pause();
    let read = validate(dataset, config);
    for (let n = 0; n < REPAIRS && read.issues !== undefined && !current.isBeyondRepair; n++) {
      if (!current.repair(read.issues)) break;
      read = validate({ typed: false, value }, config);
    }
    if (read.issues !== undefined) {
      current.isBeyondRepair = true;
      return read;
    }
    valid.set(value, read.value);
    current.validated++;
    return read;
  };
  return Object.assign(schema, { "~run": run });
}
