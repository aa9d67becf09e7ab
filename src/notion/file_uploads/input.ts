/**
 * File uploads in requests.
 *
 * @module
 */
import * as v from "valibot";
import { LIMITS } from "../../content/values/limits.ts";
import { isFilename, mediaType, uploadInput, uploadIssues } from "../../content/values/uploads.ts";
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue } from "../../shared/validation_issue.ts";

/** A file that the client will send, or that the service fetches. */
export const fileUploadInput = v.strictObject({
  mode: v.exactOptional(v.picklist(["single_part", "multi_part", "external_url"])),
  filename: uploadInput.entries.filename,
  content_type: v.exactOptional(mediaType),
  content_length: uploadInput.entries.content_length,
  number_of_parts: v.exactOptional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)),
  ),
  external_url: v.exactOptional(v.pipe(v.string(), v.maxLength(LIMITS.url))),
});
export type FileUploadInput = v.InferOutput<typeof fileUploadInput>;

interface Limits {
  readonly maxBytes: number;
  /** Returns what is expected of a URL that is refused. */
  readonly expectationOf: (url: string) => string | undefined;
}

/** All issues that the schema cannot find. */
export function fileUploadIssues(input: FileUploadInput, limits: Limits): ValidationIssue[] {
  const { mode = "single_part", external_url: url, ...announced } = input;
  const issues = mode === "external_url"
    ? sourceIssues(input, limits)
    : uploadIssues({ ...announced, mode }, limits);
  if (mode !== "external_url" && url !== undefined) {
    const expected = "not present unless `mode` is `external_url`";
    issues.push(bodyIssue("/external_url", { expected, received: url }));
  }
  if (mode === "multi_part" && input.filename === undefined) {
    issues.push(bodyIssue("/filename", { expected: "defined", received: undefined }));
  }
  return issues;
}

function sourceIssues(
  { external_url: url, filename, number_of_parts: parts }: FileUploadInput,
  { expectationOf }: Limits,
): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const expected = url === undefined ? "defined" : expectationOf(url);
  if (expected !== undefined) {
    issues.push(bodyIssue("/external_url", { expected, received: url }));
  }
  if (filename === undefined) {
    issues.push(bodyIssue("/filename", { expected: "defined", received: undefined }));
  } else if (!isFilename(filename)) {
    const fit = "a file name without a path and control characters, of at most 900 bytes";
    issues.push(bodyIssue("/filename", { expected: fit, received: filename }));
  }
  if (parts !== undefined) {
    const absent = "not present unless `mode` is `multi_part`";
    issues.push(bodyIssue("/number_of_parts", { expected: absent, received: parts }));
  }
  return issues;
}
