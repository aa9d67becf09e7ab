/**
 * The services that handlers use. The composition root creates them once.
 *
 * @module
 */
import type { Principal } from "../../auth/principal.ts";
import type { MarkdownDraft } from "../../content/markdown/place_nodes.ts";
import type {
  MarkdownVariant,
  PortionData,
  PrintedPortion,
} from "../../content/markdown/print_portion.ts";
import type { User } from "../../content/values/users.ts";
import type { Cursors } from "../../http/cursor.ts";
import type { Encodable } from "../../http/encoding.ts";
import { type Endpoint, endpoint, type EndpointSpec, type Reply } from "../../http/endpoint.ts";
import type { VectorSpaces } from "../../indexing/spaces.ts";
import type { DownloadUrls } from "../../files/download_urls.ts";
import type { BackgroundJobs } from "../../files/background_jobs.ts";
import type { BlobStore } from "../../files/blob_store.ts";
import type { FileSources } from "../../files/file_source.ts";
import type { Signer } from "../../files/signing.ts";
import type { BlockVersion, EarlyCommits, Store } from "../../store/port.ts";
import type { WebServices } from "../../web/endpoints.ts";
import type { DatabaseCache } from "./database_cache.ts";
import type { Materializer } from "./materializer.ts";
import type { LongReads } from "./long_reads.ts";
import type { NodeCache } from "./node_cache.ts";
import type { PageReplyCache } from "./page_reply_cache.ts";
import type { ReadMany } from "./read_together.ts";
import type { ReplyCache } from "./reply_cache.ts";
import type { ProtectedResource } from "./protected_resource.ts";
import type { WriteQueue } from "./write_queue.ts";

type PublishedText = Encodable<Reply & { readonly body: string }>;

/** The API's own OpenAPI document and its metadata, from `spec/`. */
export interface PublishedDocument {
  /** SHA-256 of the document. */
  readonly etag: string;
  /** `openapi.json`, byte for byte. */
  readonly document: PublishedText;
  readonly meta: PublishedText;
  /** The policy as a page for people, with these sentences above it. */
  readonly policyPage: (notices: readonly string[]) => Promise<Reply>;
}

/** The storage of files' bytes, and the URLs to send and read them. */
export interface Files {
  readonly blobs: BlobStore;
  readonly signer: Signer;
  readonly downloadUrls: DownloadUrls;
  /** Maximum size of a file in bytes. */
  readonly maxBytes: number;
  /** Milliseconds after which an upload is deleted if no content refers to it. */
  readonly life: number;
  /** Other servers that files may be fetched from. */
  readonly sources: FileSources;
  /** Files that are being fetched. */
  readonly imports: BackgroundJobs;
}

/** Why the service is not ready, in words that may be public. */
export interface Unready {
  readonly issue: string;
  /** The error that was caught. It is only logged. */
  readonly cause?: unknown;
}

export interface Services extends WebServices {
  /**
   * It may show writes that are not on the disk yet; the request waits for that before it is
   * answered.
   */
  readonly store: Store;
  readonly commits: Pick<EarlyCommits, "state" | "apply">;
  readonly files: Files;
  readonly cursors: Cursors;
  /** Key of the hashes in entity tags. */
  readonly tagKey: Uint8Array;
  /** URL of pages in a front end, with `{id}`. Undefined: pages have the URL of this API. */
  readonly pageUrl?: string | undefined;
  readonly published: PublishedDocument;
  readonly newId: () => string;
  /** 8 characters of `[A-Za-z0-9_]`. */
  readonly newPropertyId: () => string;
  /** False if the caller may not see the names of users: content shows their IDs alone. */
  readonly showsUsers: boolean;
  /** Reads users; requests that ask at the same time share a statement. */
  readonly readUsers: ReadMany<User>;
  /** Reads versions of blocks in the same way. */
  readonly readBlockVersions: ReadMany<BlockVersion>;
  readonly databases: DatabaseCache;
  readonly pageReplies: PageReplyCache;
  /** Replies with blocks, lists of blocks, users, and Markdown that shows names of others. */
  readonly replies: ReplyCache;
  /** Rows as lists show them. */
  readonly rowTexts: ReplyCache;
  /** Nodes that searches have found. */
  readonly shownNodes: NodeCache;
  /** Converts Markdown to nodes, fairly between callers. Rejects if it cannot be parsed. */
  readonly readMarkdown: (
    markdown: string,
    asker: Pick<Principal, "workspace" | "userId">,
    variant?: MarkdownVariant,
  ) => Promise<MarkdownDraft>;
  /** Loads and prints a portion of a large page as Markdown in a Worker, when it is the caller's turn. */
  readonly printPortion: (
    load: () => PortionData | Promise<PortionData>,
    caller: Pick<Principal, "workspace" | "userId">,
  ) => Promise<PrintedPortion>;
  /** The vectors of each workspace that are indexed so far. */
  readonly spaces: VectorSpaces;
  /** Serializes the writes of each workspace. */
  readonly queueWrite: WriteQueue;
  /** Materializes formulas that queries compute for many rows. */
  readonly materializer: Materializer;
  /** Limits the number and duration of long reads. */
  readonly longReads: LongReads;
  /** Returns the reasons why the service is not ready. Empty if it is. */
  readonly readiness: () => Promise<readonly Unready[]>;
  /** Number of stored documents that are known to be damaged. */
  readonly damagedDocuments: () => number;
  /** How clients get tokens (RFC 9728). */
  readonly protectedResource: ProtectedResource;
  /** Every scope of the policy that applies to this request. */
  readonly scopes: readonly string[];
  /** The active policy, and a rejected one if there is any. */
  readonly policy: () => Readonly<Record<string, unknown>>;
  /** Metrics of the policies in the text format of Prometheus. */
  readonly metrics: () => string | Promise<string>;
}

/** Declares an endpoint of this API. See {@linkcode endpoint}. */
export function define<Params = unknown, Query = unknown, Body = unknown>(
  spec: EndpointSpec<Services, Params, Query, Body>,
): Endpoint<Services> {
  return endpoint(spec);
}
