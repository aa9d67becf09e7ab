/**
 * The stored document of a comment.
 *
 * @module
 */
import type { HostedFile } from "../values/hosted_files.ts";
import { plainText, type RichText } from "../values/rich_text.ts";

/** The kind of a file, by which clients choose how to show it. */
export type AttachmentCategory = "audio" | "image" | "pdf" | "productivity" | "video";

/** A file of a comment, by its upload. */
export interface StoredAttachment {
  readonly category: AttachmentCategory;
  readonly file: HostedFile;
}

/** Under which name a comment is shown; names of users are looked up when it is read. */
export type StoredDisplayName =
  | { readonly type: "integration" | "user" }
  | { readonly type: "custom"; readonly name: string };

export interface CommentDoc {
  readonly rich_text: RichText;
  readonly attachments: readonly StoredAttachment[];
  readonly display_name: StoredDisplayName;
}

/** Parses the `doc` of a comment. */
export function parseCommentDoc(doc: string): CommentDoc {
  // Sound because only `newComment` and `editComment` write it.
  return JSON.parse(doc) as CommentDoc;
}

/** The texts of a comment, for search. The names in mentions are not included. */
export function commentTexts(doc: string): string[] {
  return [plainText(parseCommentDoc(doc).rich_text)].filter((text) => text !== "");
}

/** The category of a file with this media type. */
export function categoryOf(contentType: string | null): AttachmentCategory {
  const [kind = "", subtype = ""] = (contentType ?? "").toLowerCase().split(";", 1).join("").split(
    "/",
  );
  if (kind === "audio" || kind === "image" || kind === "video") return kind;
  return subtype.trim() === "pdf" ? "pdf" : "productivity";
}
