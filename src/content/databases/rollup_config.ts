/**
 * What a rollup collects: a relation of its own database, and a property of the related one.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue, pointerTo } from "../../shared/validation_issue.ts";
import { exactProperty } from "./matching.ts";
import type { Property, PropertyOf, Schema } from "../schema/property.ts";
import type { Tables } from "./tables.ts";
import type { ConfigInput } from "../properties/registry.ts";

type Rollup = PropertyOf<"rollup">;

export interface RollupDrafting {
  readonly tables: Tables;
  /** Where the configuration stands in the request. */
  readonly pointer: string;
  readonly issues: ValidationIssue[];
}

/** The rollup with the properties that its configuration names; what is left out stays. */
export function resolveRollup(
  rollup: Rollup,
  input: ConfigInput<"rollup">,
  drafting: RollupDrafting,
): Rollup {
  const { tables, pointer, issues } = drafting;
  const relation = resolve({
    ...drafting,
    end: "relation",
    schema: tables.schema(tables.id),
    given: { id: input.relation_property_id, name: input.relation_property_name },
    before: rollup.relationPropertyId,
  });
  if (relation.property !== undefined && relation.property.type !== "relation") {
    const detail = `\`${relation.property.name}\` is expected to be \`relation\`.`;
    issues.push({ pointer: pointerTo(pointer, relation.key), detail });
  }
  const target = resolve({
    ...drafting,
    end: "rollup",
    schema: relation.property?.type === "relation"
      ? tables.schema(relation.property.databaseId)
      : undefined,
    given: { id: input.rollup_property_id, name: input.rollup_property_name },
    before: rollup.rollupPropertyId,
  });
  const name = input.function ?? rollup.function;
  if (name === "") {
    issues.push(
      bodyIssue(`${pointer}/function`, { expected: "defined", received: undefined }),
    );
  }
  return {
    ...rollup,
    relationPropertyId: relation.id,
    rollupPropertyId: target.id,
    function: name,
  };
}

interface Wanted extends RollupDrafting {
  readonly end: "relation" | "rollup";
  /** The schema that the property is in; undefined where that is not known. */
  readonly schema: Schema | undefined;
  readonly given: { readonly id: string | undefined; readonly name: string | undefined };
  /** The id that the rollup has already, `""` of a new one. */
  readonly before: string;
}

interface Resolved {
  readonly id: string;
  /** The member of the configuration that named it. */
  readonly key: string;
  readonly property: Property | undefined;
}

function resolve({ end, schema, given, before, pointer, issues }: Wanted): Resolved {
  const key = `${end}_property_${given.id === undefined ? "name" : "id"}`;
  const nameOrId = given.id ?? given.name ?? before;
  // What it has already may be gone: then it stays as it is.
  if (nameOrId === before && before !== "") {
    return { id: before, key, property: schema?.find(({ id }) => id === before) };
  }
  const property = schema && exactProperty(schema, nameOrId);
  if (property !== undefined) return { id: property.id, key, property };
  if (nameOrId === "") {
    const expected = `defined, or \`${end}_property_id\``;
    issues.push(bodyIssue(pointerTo(pointer, key), { expected, received: undefined }));
  } else if (schema !== undefined) {
    const detail = `\`${nameOrId}\` is not a property that exists.`;
    issues.push({ pointer: pointerTo(pointer, key), detail });
  }
  return { id: "", key, property: undefined };
}
