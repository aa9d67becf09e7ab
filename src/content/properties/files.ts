/**
 * Properties that are files, which lie elsewhere or with the service.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import { fileAddress, type HostedFile } from "../values/hosted_files.ts";
import { fileUploadInput, hostedFileInput, toHostedFile } from "../values/icons.ts";
import { LIMITS } from "../values/limits.ts";
import { EMPTY } from "../schema/cells.ts";
import { byKey } from "../values/union.ts";
import { external, externalInput } from "../values/urls.ts";
import { propertyKind } from "./property_type.ts";
import { textCell } from "./texts.ts";

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

/** A file as it is answered. */
export const fileValue = v.variant("type", [
  v.object({ name: v.string(), type: v.literal("external"), external }),
  v.object({ name: v.string(), type: v.literal("file"), file: fileAddress }),
]);
component(fileValue, "FileValue", "A file and its name.");
type FileValue = v.InferOutput<typeof fileValue>;

/** A file as a row keeps it. */
type KeptFile =
  | Extract<FileValue, { readonly type: "external" }>
  | { readonly name: string; readonly type: "file"; readonly file: HostedFile };

export const files = propertyKind("files", {
  input: v.pipe(v.array(fileInput), v.maxLength(LIMITS.array)),
  output: v.array(fileValue),
  emptyCell: EMPTY,
  keep: (given): readonly KeptFile[] | undefined =>
    given.length === 0 ? undefined : given.map(toFile),
  // Sound because addresses are filled in where the answer is written.
  answer: (kept) => [...kept ?? []] as FileValue[],
  cells: (kept) => kept.map(({ name }) => textCell(name)),
  mentions: (kept) => kept.some(({ type }) => type === "file"),
});

function toFile(given: FileInput): KeptFile {
  if ("external" in given) {
    return { name: given.name, type: "external", external: given.external };
  }
  // A file of ours has the name of its upload unless it is given another one.
  return { name: given.name ?? "", ...toHostedFile(given) };
}
