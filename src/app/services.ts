/**
 * Creates what handlers use.
 *
 * @module
 */
import { hkdfSync } from "node:crypto";
import { createDatabaseCache } from "../api/shared/database_cache.ts";
import { createMaterializer } from "../api/shared/materializer.ts";
import { hidesNames } from "../api/shared/guarded_fields.ts";
import { createLongReads } from "../api/shared/long_reads.ts";
import { createPageReplyCache } from "../api/shared/page_reply_cache.ts";
import { createNodeCache } from "../api/shared/node_cache.ts";
import { readTogether } from "../api/shared/read_together.ts";
import { createReplyCache } from "../api/shared/reply_cache.ts";
import type { Services } from "../api/shared/services.ts";
import { createWriteQueue } from "../api/shared/write_queue.ts";
import { createReadiness } from "../health/readiness.ts";
import type { StorageHealth } from "../health/storage.ts";
import { createCursors } from "../http/cursor.ts";
import type { FieldPath } from "../http/redact.ts";
import type { VectorSpaces } from "../indexing/spaces.ts";
import { ALWAYS_DURABLE } from "../shared/durable.ts";
import { summarize } from "../shared/log.ts";
import { uuidv7 } from "../shared/std.ts";
import type { EarlyStore, Store } from "../store/port.ts";
import { createDocs } from "../web/docs.ts";
import type { MarkdownPrinter } from "../workers/markdown_printer.ts";
import type { MarkdownReader } from "../workers/markdown_reader.ts";
import type { AppOptions } from "./app.ts";
import { VERSION } from "./version.ts";
import type { Authentication } from "./authentication.ts";
import type { FileStorage } from "./files.ts";

/** The browser bundle that `deno task assets` writes. */
const API_REFERENCE = "assets/api-reference.js.gz";

/** Services of handlers that depend on the policy. */
export type PolicyServices = Pick<
  Services,
  "published" | "scopes" | "policy" | "policyNotices" | "metrics"
>;

export interface ServiceParts {
  readonly authentication: Authentication;
  readonly health: StorageHealth;
  readonly markdownReader: MarkdownReader;
  readonly markdownPrinter: MarkdownPrinter;
  readonly spaces: VectorSpaces;
  readonly files: FileStorage["files"];
  readonly now: () => number;
  readonly isDraining: () => boolean;
}

/** Creates the services of handlers that do not depend on the policy. */
export async function openServices(
  { store: durable, publicUrl, config: { pageUrl, admin }, materializing, log }: AppOptions,
  { markdownReader, markdownPrinter, spaces, files, ...parts }: ServiceParts,
): Promise<Omit<Services, keyof PolicyServices>> {
  const { authentication, health, now, isDraining } = parts;
  const { reading, ...commits } = earlyStore(durable);
  const secret = await durable.secret("cursors");
  const store = { ...durable, ...reading };
  const reader = { ...store, versions: readTogether(store.versions) };
  const databases = createDatabaseCache(reader);
  const pageReplies = createPageReplyCache(reader);
  const replies = createReplyCache();
  const rowTexts = createReplyCache();
  const shownNodes = createNodeCache(reader);
  const onUndone = (): void => {
    for (const cache of [databases, pageReplies, replies, rowTexts, shownNodes]) cache.clear();
  };
  commits.onUndone(onUndone);
  const own = { ...materializing, release: VERSION, now, newId: uuidv7 };
  const onFailure = (error: unknown): void =>
    log.event("warn", `Materializing a formula failed, will retry: ${summarize(error)}`);
  const materializer = createMaterializer({ ...own, store, commits, databases, onFailure });
  return {
    store,
    commits,
    materializer,
    files,
    cursors: createCursors(secret),
    // Derived, because a standby cannot store another secret.
    tagKey: new Uint8Array(hkdfSync("sha256", secret, "", "entity tags", 32)),
    publicUrl,
    pageUrl,
    docs: createDocs(API_REFERENCE),
    newId: uuidv7,
    newPropertyId,
    showsUsers: true,
    readUsers: readTogether(async (workspace, ids) =>
      new Map((await store.users(workspace, ids)).map((user) => [user.id, user]))
    ),
    readBlockVersions: readTogether(store.blockVersions),
    databases,
    pageReplies,
    replies,
    rowTexts,
    shownNodes,
    readMarkdown: markdownReader.read,
    printPortion: markdownPrinter.print,
    spaces,
    queueWrite: createWriteQueue({ share: durable.shareTransaction, onUndone }),
    longReads: createLongReads(),
    protectedResource: {
      resource: authentication.resource,
      authorizationServers: authentication.issuers,
      dpopMetadata: authentication.dpopMetadata,
      hasDocs: admin === undefined,
    },
    readiness: createReadiness({
      health,
      files: files.blobs,
      sources: authentication.sources,
      now,
      isDraining,
    }),
    damagedDocuments: health.damagedDocuments,
  };
}

/**
 * Selects the services for a caller. Mentions, Markdown, formulas and sorts are made of the names of
 * users, which no later redaction could find in them, so who may not see names reads users without.
 */
export function selectServices(services: Services): (hidden: readonly FieldPath[]) => Services {
  const { store } = services;
  const users: Store["users"] = async (workspace, ids) =>
    (await store.users(workspace, ids)).map((user) => ({ ...user, name: null }));
  const nameless = { ...services, store: { ...store, users }, showsUsers: false };
  return (hidden) => hidesNames(hidden) ? nameless : services;
}

/** The store as handlers see it; where nothing is visible before it is durable, the store itself. */
function earlyStore(store: Store): EarlyStore {
  return store.early ?? {
    reading: {},
    state: ALWAYS_DURABLE,
    onUndone: () => {},
    apply: async (workspace, changes, { receipt }) => ({
      outcome: await store.commit(workspace, changes, receipt),
      durable: undefined,
    }),
  };
}

const PROPERTY_ID_BYTES = 6;

/** Returns a new property ID: 8 characters of `[A-Za-z0-9_]`. */
function newPropertyId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(PROPERTY_ID_BYTES));
  return bytes.toBase64({ alphabet: "base64url" }).replaceAll("-", "_");
}
