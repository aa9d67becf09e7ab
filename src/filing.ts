/**
 * Files as the configuration has them: where their bytes are, who may send and read them, and what
 * removes them.
 *
 * @module
 */
import type { Files } from "./api/services.ts";
import type { Config } from "./config.ts";
import { createAddresses } from "./files/addresses.ts";
import { createDiskShelf } from "./files/disk/shelf.ts";
import { createSigner } from "./files/signing.ts";
import { startSweeper } from "./files/sweeper.ts";
import type { Log } from "./observe.ts";
import type { Store } from "./store/port.ts";

export interface FilesOptions {
  readonly config: Pick<Config, "files" | "dataDir">;
  readonly publicUrl: string;
  readonly store: Store;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface OpenedFiles {
  readonly files: Files;
  /** Ends the sweeping. */
  close(): Promise<void>;
}

/** Opens the place where files are kept, and has it swept from time to time. */
export async function openFiles(options: FilesOptions): Promise<OpenedFiles> {
  const { config: { files, dataDir }, publicUrl, store, log, now } = options;
  const { maxBytes, validity, life } = files;
  const signer = createSigner(await store.secret("files"));
  const shelf = files.s3 === undefined
    ? createDiskShelf({ folder: `${dataDir}/files`, publicUrl, signer })
    : (await import("./files/s3/shelf.ts")).createS3Shelf({ ...files.s3, validity, now });
  const sweeper = startSweeper({
    store,
    shelf,
    now,
    onFailure: (error) => log.event("error", `Files could not be swept: ${error}`),
  });
  return {
    files: {
      shelf,
      signer,
      maxBytes,
      life,
      addresses: createAddresses({ shelf, validity, now }),
    },
    close: sweeper.stop,
  };
}
