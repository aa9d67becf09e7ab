/**
 * Resolves the configuration of a rollup: a relation of its own database and a property of the
 * related database.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue, pointerTo } from "../../shared/validation_issue.ts";
import { exactProperty } from "./match_entries.ts";
import type { Property, PropertyOf, Schema } from "../schema/property.ts";
import type { PendingSchemas } from "./pending_schemas.ts";
import type { ConfigInput } from "../properties/registry.ts";

type Rollup = PropertyOf<"rollup">;

export interface RollupDrafting {
  readonly schemas: PendingSchemas;
  /** JSON pointer to the configuration in the request. */
  readonly pointer: string;
  readonly issues: ValidationIssue[];
}

/** The rollup with the properties that its configuration names; members that are left out stay. */
export function resolveRollup(
  rollup: Rollup,
  input: ConfigInput<"rollup">,
  drafting: RollupDrafting,
): Rollup {
  const { schemas, pointer, issues } = drafting;
  const relation = resolve({
    ...drafting,
    end: "relation",
    schema: schemas.schema(schemas.id),
    reference: { id: input.relation_property_id, name: input.relation_property_name },
    currentId: rollup.relationPropertyId,
  });
  if (relation.property !== undefined && relation.property.type !== "relation") {
    const detail = `${relation.property.name} is expected to be relation.`;
    issues.push({ pointer: pointerTo(pointer, relation.key), detail });
  }
  const target = resolve({
    ...drafting,
    end: "rollup",
    schema: relation.property?.type === "relation"
      ? schemas.schema(relation.property.databaseId)
      : undefined,
    reference: { id: input.rollup_property_id, name: input.rollup_property_name },
    currentId: rollup.rollupPropertyId,
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

interface RollupEnd extends RollupDrafting {
  readonly end: "relation" | "rollup";
  /** The schema that has the property; undefined if it is not known. */
  readonly schema: Schema | undefined;
  readonly reference: { readonly id: string | undefined; readonly name: string | undefined };
  /** The rollup's current id; `""` if it is new. */
  readonly currentId: string;
}

interface Resolved {
  readonly id: string;
  /** The member of the configuration that names it. */
  readonly key: string;
  readonly property: Property | undefined;
}

function resolve({ end, schema, reference, currentId, pointer, issues }: RollupEnd): Resolved {
  const key = `${end}_property_${reference.id === undefined ? "name" : "id"}`;
  const nameOrId = reference.id ?? reference.name ?? currentId;
  // The current property may have been deleted; then the rollup stays as it is.
  if (nameOrId === currentId && currentId !== "") {
    return { id: currentId, key, property: schema?.find(({ id }) => id === currentId) };
  }
  const property = schema && exactProperty(schema, nameOrId);
  if (property !== undefined) return { id: property.id, key, property };
  if (nameOrId === "") {
    const expected = `defined, or \`${end}_property_id\``;
    issues.push(bodyIssue(pointerTo(pointer, key), { expected, received: undefined }));
  } else if (schema !== undefined) {
    const detail = `${nameOrId} is not a property that exists.`;
    issues.push({ pointer: pointerTo(pointer, key), detail });
  }
  return { id: "", key, property: undefined };
}
