/**
 * Objects with keys that the client chooses.
 *
 * @module
 */
import * as v from "valibot";

type Named<Value> = v.GenericSchema<unknown, Readonly<Record<string, Value>>>;

/**
 * An object with any keys whose values match the schema. Unlike `v.record`, it drops no key.
 *
 * `v.record` silently drops `__proto__`, `prototype` and `constructor`. Here they are ordinary
 * keys: read them with `Object.hasOwn` or `Object.entries`.
 */
export function named<Value>(value: v.GenericSchema<unknown, Value>): Named<Value> {
  const record = v.record(v.string(), value);
  const refuse = record["~run"].bind(record);
  const run: Named<Value>["~run"] = (dataset, config) => {
    if (typeof dataset.value !== "object" || dataset.value === null) {
      return refuse(dataset, config);
    }
    const read = readMembers(value, dataset.value, config);
    return read.issues.length === 0
      ? { typed: true, value: read.members }
      // Sound because there is a first issue.
      : { typed: false, value: read.members, issues: read.issues as [Issue, ...Issue[]] };
  };
  return Object.assign(record, { "~run": run });
}

type Issue = v.BaseIssue<unknown>;

function readMembers<Value>(
  schema: v.GenericSchema<unknown, Value>,
  input: object,
  config: v.Config<Issue>,
): { readonly members: Record<string, Value>; readonly issues: readonly Issue[] } {
  const members: [string, Value][] = [];
  const issues: Issue[] = [];
  for (const [key, value] of Object.entries(input)) {
    const { value: read, issues: found = [] } = schema["~run"]({ value }, config);
    issues.push(...found.map((issue) => below(issue, { input, key, value })));
    if (issues.length > 0 && config.abortEarly === true) break;
    // Sound because nothing reads the members if there are issues.
    members.push([key, read as Value]);
  }
  // Unlike an assignment, it creates a member `__proto__`.
  return { members: Object.fromEntries(members), issues };
}

interface Member {
  readonly input: object;
  readonly key: string;
  readonly value: unknown;
}

function below(issue: Issue, { input, key, value }: Member): Issue {
  const item: v.ObjectPathItem = {
    type: "object",
    origin: "value",
    // Sound because any key of an object can be read.
    input: input as Record<string, unknown>,
    key,
    value,
  };
  return { ...issue, path: [item, ...(issue.path ?? [])] };
}
