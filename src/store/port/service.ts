/**
 * The data of the whole service, which belongs to no workspace.
 *
 * @module
 */
import type { DocumentCheck, DocumentKey } from "../document_check.ts";

export interface SecretStore {
  /** Returns a secret of the whole service. The first call creates it; it never changes. */
  secret(name: string): Promise<Uint8Array<ArrayBuffer>>;
}

export interface StorageChecks {
  /**
   * Compares the next documents of all workspaces with their checksums, and adds missing checksums.
   * Starts after `after`, or with the first document.
   */
  checkDocuments(after: DocumentKey | undefined, limit: number): Promise<DocumentCheck>;

  /**
   * Resolves if the database can be read and written, else rejects. By default it writes nothing to
   * the disk; with `takesSpace` it writes and removes 128 KiB, which a full disk refuses.
   */
  ping(options?: { readonly takesSpace: boolean }): Promise<void>;
}
