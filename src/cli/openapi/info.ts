/**
 * The `info` of the document, and the part of it that operators write in `spec/info.json`.
 *
 * @module
 */
import * as v from "valibot";

const name = v.pipe(v.string(), v.nonEmpty());
const url = v.pipe(v.string(), v.url());

const operatorInfoSchema = v.strictObject({
  license: v.strictObject({ name, url }),
  contact: v.optional(v.strictObject({ name, url, email: v.pipe(v.string(), v.email()) })),
  termsOfService: v.optional(url),
});

/** Licence, contact and terms of service. */
export type OperatorInfo = v.InferOutput<typeof operatorInfoSchema>;

export interface Info extends Partial<OperatorInfo> {
  readonly title: string;
  /** Version of the API. Never the version of the build, because the document is public. */
  readonly version: string;
  readonly summary: string;
  readonly description: string;
  /** Digest of the policy that the document was made from. */
  readonly "x-policy-digest"?: string;
}

/** Lists the issues of `spec/info.json`, one on each line. */
export class OperatorInfoError extends Error {
  constructor(readonly issues: readonly string[]) {
    super(["spec/info.json", ...issues].join("\n"));
    this.name = "OperatorInfoError";
  }
}

/** Parses the text of `spec/info.json`. Throws `OperatorInfoError` with all its issues. */
export function parseOperatorInfo(text: string): OperatorInfo {
  const { success, output, issues: schemaIssues } = v.safeParse(
    operatorInfoSchema,
    parseJson(text),
  );
  if (success) return output;
  const issues = schemaIssues.map((issue) =>
    `${v.getDotPath(issue) ?? "All of it"}: ${issue.message}`
  );
  throw new OperatorInfoError(issues);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OperatorInfoError([
      `Not JSON: ${error instanceof Error ? error.message : error}`,
    ]);
  }
}
