/**
 * Comparing stored documents with their checksums, a slice at a time.
 *
 * @module
 */
import { type Checked, isIntact } from "./checksum.ts";

/** The key of a node, comment, user or upload; documents are checked in this order. */
export interface DocumentKey {
  readonly workspace: string;
  readonly id: string;
}

/** A document as a check reads it. */
export interface StoredDocument extends Checked, DocumentKey {
  /** The table that takes a missing checksum; comments, which count as nodes, always have one. */
  readonly table: "nodes" | "users" | "uploads";
  readonly version: number;
  /** Null if it was written before there were checksums. */
  readonly checksum: number | null;
}

/** The result of checking a slice of documents. */
export interface DocumentCheck {
  readonly checked: number;
  readonly damaged: readonly DocumentKey[];
  /** The key after which to continue; undefined if there are no more. */
  readonly next: DocumentKey | undefined;
}

/** Checks the documents that were read with this limit. */
export function checkSlice(documents: readonly StoredDocument[], limit: number): DocumentCheck {
  const last = documents.length < limit ? undefined : documents.at(-1);
  return {
    checked: documents.length,
    damaged: documents.filter(isDamaged).map(keyOf),
    next: last && keyOf(last),
  };
}

/** Returns the documents that can be given a checksum: they have none, and are JSON. */
export function withoutChecksum(documents: readonly StoredDocument[]): readonly StoredDocument[] {
  return documents.filter((one) => one.checksum === null && isIntact(one, null));
}

/** The findings of a check of a whole database so far. */
export interface Findings {
  documents: number;
  /** Documents that a running server still has to give a checksum. */
  unchecked: number;
  /** A sentence each. */
  readonly damage: string[];
}

/** Documents in memory at once. */
const SLICE = 500;

/** Checks all documents and adds the damaged ones to the findings. */
export async function checkAll(
  read: (after: DocumentKey | undefined, limit: number) => Promise<readonly StoredDocument[]>,
  findings: Findings,
): Promise<void> {
  let after: DocumentKey | undefined;
  do {
    const documents = await read(after, SLICE);
    const { checked, next } = checkSlice(documents, SLICE);
    findings.documents += checked;
    findings.unchecked += withoutChecksum(documents).length;
    for (const { table, workspace, id } of documents.filter(isDamaged)) {
      findings.damage.push(`${NOUNS[table]} ${id} in workspace ${workspace} is damaged`);
    }
    after = next;
  } while (after !== undefined);
}

const NOUNS = { nodes: "Document", users: "User", uploads: "Upload" };

function isDamaged(document: StoredDocument): boolean {
  return !isIntact(document, document.checksum);
}

function keyOf({ workspace, id }: StoredDocument): DocumentKey {
  return { workspace, id };
}
