/**
 * Properties that are files, which lie elsewhere or with the service.
 *
 * @module
 */
import * as v from "valibot";
import type { Fault } from "../../errors.ts";
import { bodyFault } from "../../faults.ts";
import { fileUploadInput, uploadFault } from "../icons.ts";
import { LIMITS } from "../limits.ts";
import { EMPTY } from "../query/cells.ts";
import { byKey } from "../union.ts";
import { external, externalInput } from "../urls.ts";
import { propertyKind } from "./kind.ts";
import { textCell } from "./texts.ts";

const name = v.pipe(v.string(), v.maxLength(LIMITS.name));

// Accepts nothing, so that one fault says what is missing.
const nowhere: v.GenericSchema<unknown, never> = v.custom<never>(
  () => false,
  "an object with one of `external`, `file`, `file_upload`",
);

/** A file as a client writes it. */
export const fileInput = byKey({
  external: v.strictObject({
    type: v.exactOptional(v.literal("external")),
    name,
    external: externalInput,
  }),
  file: v.strictObject({
    type: v.exactOptional(v.literal("file")),
    name,
    file: v.pipe(
      v.strictObject({ url: v.string(), expiry_time: v.string() }),
      v.description("A file that the property has, as it was read."),
    ),
  }),
  file_upload: v.strictObject({ ...fileUploadInput.entries, name: v.exactOptional(name) }),
}, nowhere);
type FileInput = v.InferOutput<typeof fileInput>;

/** A file as it is answered. */
export const fileValue = v.variant("type", [
  v.object({ name: v.string(), type: v.literal("external"), external }),
  v.object({
    name: v.string(),
    type: v.literal("file"),
    file: v.object({ url: v.string(), expiry_time: v.string() }),
  }),
]);
type FileValue = v.InferOutput<typeof fileValue>;

export const files = propertyKind("files", {
  input: v.pipe(v.array(fileInput), v.maxLength(LIMITS.array)),
  output: v.array(fileValue),
  emptyCell: EMPTY,
  keep: (given): readonly FileValue[] | undefined =>
    given.length === 0 ? undefined : given.flatMap(toFile),
  faults: (given, _property, { pointer, kept = [] }) =>
    given.flatMap((file, index) => fileFaults(file, { pointer: `${pointer}/${index}`, kept })),
  answer: (kept) => [...kept ?? []],
  cells: (kept) => kept.map(({ name }) => textCell(name)),
});

function toFile(given: FileInput): FileValue[] {
  // `fileFaults` refuses every upload, so none gets here.
  if ("file_upload" in given) return [];
  const { name } = given;
  return "external" in given
    ? [{ name, type: "external", external: given.external }]
    : [{ name, type: "file", file: given.file }];
}

/** An upload that does not exist, and a file of ours that is not the row's own. */
function fileFaults(
  given: FileInput,
  { pointer, kept }: { readonly pointer: string; readonly kept: readonly FileValue[] },
): Fault[] {
  if ("file_upload" in given) return [uploadFault(given, pointer)];
  if ("external" in given || kept.some((file) => isSame(file, given))) return [];
  const expected = "a file of this property as it was read";
  return [bodyFault(`${pointer}/file`, { expected, received: given.file })];
}

function isSame(kept: FileValue, { name, file }: Extract<FileInput, { file: unknown }>): boolean {
  return kept.type === "file" && kept.name === name && kept.file.url === file.url &&
    kept.file.expiry_time === file.expiry_time;
}
