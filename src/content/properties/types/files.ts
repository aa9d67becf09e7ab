/**
 * Files, which lie elsewhere or with the service.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../../shared/component.ts";
import { EMPTY, textCell } from "../../schema/cells.ts";
import { fileAddress, type HostedFile } from "../../values/hosted_files.ts";
import { fileUploadInput, hostedFileInput, toHostedFile } from "../../values/icons.ts";
import { LIMITS } from "../../values/limits.ts";
import { byKey } from "../../values/union.ts";
import { external, externalInput } from "../../values/urls.ts";
import { propertyKind } from "../property_kind.ts";
import { each } from "../shared/collect.ts";
import { NO_CONFIG } from "../shared/no_config.ts";
import { emptiness } from "../shared/operators.ts";

const name = v.pipe(v.string(), v.maxLength(LIMITS.name));

/** A file as a client writes it. */
export const fileInput = byKey({
  external: v.strictObject({
    type: v.exactOptional(v.literal("external")),
    name,
    external: externalInput,
  }),
  file: v.strictObject({ ...hostedFileInput.entries, name: v.exactOptional(name) }),
  file_upload: v.strictObject({ ...fileUploadInput.entries, name: v.exactOptional(name) }),
});
component(
  fileInput,
  "FileValueInput",
  "A file to attach: an external file, or an uploaded file by its ID.",
);
type FileInput = v.InferOutput<typeof fileInput>;

/** A file as responses show it. */
export const fileValue = v.variant("type", [
  v.object({ name: v.string(), type: v.literal("external"), external }),
  v.object({ name: v.string(), type: v.literal("file"), file: fileAddress }),
]);
component(fileValue, "FileValue", "A file and its name.");
type FileValue = v.InferOutput<typeof fileValue>;

/** A file as a row stores it. */
type StoredFile =
  | Extract<FileValue, { readonly type: "external" }>
  | { readonly name: string; readonly type: "file"; readonly file: HostedFile };

export const files = propertyKind({
  config: NO_CONFIG,
  input: v.pipe(v.array(fileInput), v.maxLength(LIMITS.array)),
  output: v.array(fileValue),
  toStored: (given): readonly StoredFile[] | undefined =>
    given.length === 0 ? undefined : given.map(toFile),
  // Sound because addresses are filled in where the response is written.
  isSelfContained: true,
  toRead: (stored) => [...stored ?? []] as FileValue[],
  emptyCell: EMPTY,
  cells: (stored) => stored.map(({ name }) => textCell(name)),
  conditions: { operators: emptiness },
  formula: { type: "texts", value: (read) => read.map(({ name }) => name) },
  collect: {
    parts: each((file: FileValue) => JSON.stringify(file)),
    cells: (read) => read.map(({ name }) => textCell(name)),
  },
  mentions: (stored) => stored.some(({ type }) => type === "file"),
  texts: (stored) => stored.map(({ name }) => name),
});

function toFile(given: FileInput): StoredFile {
  if ("external" in given) {
    return { name: given.name, type: "external", external: given.external };
  }
  // A file of ours has the name of its upload unless it is given another one.
  return { name: given.name ?? "", ...toHostedFile(given) };
}
