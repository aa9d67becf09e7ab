/**
 * `recto spec diff OLD [NEW]`: prints what a client would notice between two documents.
 *
 * @module
 */
import { type Change, diffDocuments } from "./openapi/diff/documents.ts";
import { UnusableDocument } from "./openapi/diff/references.ts";
import { changesToText } from "./openapi/diff/report.ts";
import { type Io, UsageError } from "../policy/command.ts";
import { readAt } from "../policy/lint/files.ts";
import { readOptions } from "./policy/options.ts";
import { DOCUMENT } from "../policy/lint/paths.ts";
import { createPaint } from "../policy/report/text.ts";

/** Exit codes, like those of diff(1). */
export const EXIT = { good: 0, breaking: 1, unusable: 2 } as const;

const USAGE = `Usage:
  recto spec diff OLD [NEW] [--json]
  OLD and NEW are .json files, git revisions such as main or main:spec/openapi.json, or - for
  standard input. NEW is spec/openapi.json by default
`;

/** Prints the changes and returns the exit code. Errors go to standard error. */
export async function runSpecDiff(args: readonly string[], io: Io): Promise<number> {
  try {
    const options = readOptions(args, { flags: ["json"], words: [1, 2] });
    const [old = "", fresh = DOCUMENT] = options.words;
    const changes = diffDocuments(await readDocument(io, old), await readDocument(io, fresh));
    io.out(
      options.flags.has("json")
        ? `${JSON.stringify(changes, null, 2)}\n`
        : changesToText(changes, createPaint(io.color)),
    );
    return exitOf(changes);
  } catch (error) {
    if (error instanceof UsageError) io.err(`${error.message}\n\n${USAGE}`);
    else if (error instanceof UnusableDocument) io.err(`${error.message}\n`);
    else throw error;
    return EXIT.unusable;
  }
}

async function readDocument(io: Io, place: string): Promise<unknown> {
  const text = await readAt(io, place, DOCUMENT);
  try {
    return JSON.parse(text);
  } catch {
    throw new UnusableDocument(`Not JSON: ${place}`);
  }
}

function exitOf(changes: readonly Change[]): number {
  return changes.some(({ isBreaking }) => isBreaking) ? EXIT.breaking : EXIT.good;
}
