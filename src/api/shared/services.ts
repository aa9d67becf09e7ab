/**
 * What handlers work with; made once by the composition root.
 *
 * @module
 */
import type { Principal } from "../../auth/principal.ts";
import type { MarkdownDraft } from "../../content/markdown/place_nodes.ts";
import type { PortionData, PrintedPortion } from "../../content/markdown/print_portion.ts";
import type { Cursors } from "../../http/cursor.ts";
import type { Encodable } from "../../http/encoding.ts";
import { type Endpoint, endpoint, type EndpointSpec, type Reply } from "../../http/endpoint.ts";
import type { VectorSpaces } from "../../indexing/spaces.ts";
import type { DownloadUrls } from "../../files/download_urls.ts";
import type { BlobStore } from "../../files/blob_store.ts";
import type { Signer } from "../../files/signing.ts";
import type { Store } from "../../store/port.ts";
import type { WebServices } from "../../web/endpoints.ts";
import type { DatabaseCache } from "./database_cache.ts";
import type { LongReads } from "./long_reads.ts";
import type { PageReplyCache } from "./page_reply_cache.ts";
import type { KeyedMutex } from "./keyed_mutex.ts";

type PublishedText = Encodable<Reply & { readonly body: string }>;

/** The API's own document as it stands in `spec/`: two answers that stay as they are. */
export interface PublishedDocument {
  /** SHA-256 of the document. */
  readonly etag: string;
  /** `openapi.json`, to the byte, under the SHA-256 that the metadata names. */
  readonly document: PublishedText;
  readonly meta: PublishedText;
  /** The policy that it agrees with, as a page for people. */
  readonly policyPage: () => Promise<Reply>;
}

/** Where bytes of files are, and who may send and read them. */
export interface Files {
  readonly blobs: BlobStore;
  readonly signer: Signer;
  readonly addresses: DownloadUrls;
  /** Bytes of one file. */
  readonly maxBytes: number;
  /** Milliseconds that an upload lives while nothing refers to it. */
  readonly life: number;
}

/** Why the service cannot do its work, in words for everyone. */
export interface Unready {
  readonly issue: string;
  /** What was caught, for the log alone. */
  readonly cause?: unknown;
}

export interface Services extends WebServices {
  readonly store: Store;
  readonly files: Files;
  readonly cursors: Cursors;
  readonly published: PublishedDocument;
  readonly newId: () => string;
  /** 8 characters of `[A-Za-z0-9_]`. */
  readonly newPropertyId: () => string;
  readonly databases: DatabaseCache;
  readonly pageReplies: PageReplyCache;
  /** The nodes that Markdown stands for, read when it is the caller's turn; rejects where it cannot be read. */
  readonly readMarkdown: (
    markdown: string,
    asker: Pick<Principal, "workspace" | "userId">,
  ) => Promise<MarkdownDraft>;
  /** A portion of a large page as Markdown, printed while others are served. */
  readonly printPortion: (portion: PortionData) => Promise<PrintedPortion>;
  /** The vectors of workspaces, as far as they are made. */
  readonly spaces: VectorSpaces;
  /** The turns in which each workspace's writes are made. */
  readonly lockWorkspace: KeyedMutex;
  /** The bounds of reads that take long. */
  readonly longReads: LongReads;
  /** Whether the service can do its work; the reasons where it cannot. */
  readonly readiness: () => Promise<readonly Unready[]>;
  /** How many stored documents are known to be damaged. */
  readonly damagedDocuments: () => number;
  /** Issuers whose tokens are taken, for RFC 9728. */
  readonly authorizationServers: readonly string[];
  /** Every scope of the policy that this request is judged by. */
  readonly scopes: readonly string[];
  /** Which policy decides, and which was refused. */
  readonly policy: () => Readonly<Record<string, unknown>>;
  /** The state of the policies in the text format of Prometheus. */
  readonly metrics: () => string;
}

/** Declares an endpoint of this API; see {@linkcode endpoint}. */
export function define<Params = unknown, Query = unknown, Body = unknown>(
  spec: EndpointSpec<Services, Params, Query, Body>,
): Endpoint<Services> {
  return endpoint(spec);
}
