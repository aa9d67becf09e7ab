/**
 * Uploads the files that content refers to, each once.
 *
 * @module
 */
import { OperatorError } from "../../../store/operator_error.ts";
import { ApiError } from "../../transfer/api_error.ts";
import { baseOf } from "../source/names.ts";
import type { Registry } from "./registry.ts";
import { mediaTypeOf } from "./settle.ts";
import type { WriteInput } from "./write_plan.ts";

export interface Uploads {
  /** Uploads a file, unless that was done. Resolves to undefined, and reports, if it fails. */
  upload(path: string): Promise<void>;
  /** The ID of an upload; undefined if there is none. */
  id(path: string): string | undefined;
  /** Uploads files anew: those of an earlier run that nothing referred to have expired. */
  refresh(paths: readonly string[]): Promise<void>;
}

const STEP = "file";

/** Creates the uploads of an import. */
export function createUploads(
  { api, source, journal, report }: WriteInput,
  registry: Registry,
): Uploads {
  const running = new Map<string, Promise<void>>();
  const send = async (path: string, key: string): Promise<void> => {
    const size = source.files.get(path)?.size ?? 0;
    const file = {
      name: baseOf(path),
      contentType: mediaTypeOf(path),
      size,
      open: () => source.stream(path),
    };
    journal.put(`${STEP}:${path}`, await api.upload(file, { key }));
  };
  const attempt = async (path: string, key: string): Promise<void> => {
    try {
      await send(path, key);
    } catch (error) {
      if (!(error instanceof Error) || isGeneral(error)) throw error;
      const isRefused = error instanceof ApiError;
      report.omit(path, isRefused ? error.message : `cannot be read: ${error.message}`);
    }
  };
  const id = (path: string) => journal.get(`${STEP}:${path}`);
  return {
    id,
    async upload(path) {
      if (id(path) !== undefined) return;
      await running.getOrInsertComputed(
        path,
        () => attempt(path, registry.keyOf({ key: path, step: STEP })),
      );
    },
    async refresh(paths) {
      for (const path of paths) await send(path, crypto.randomUUID());
    },
  };
}

/** Returns whether all other requests would fail as well. */
function isGeneral(error: Error): boolean {
  return error instanceof OperatorError ||
    (error instanceof ApiError && [401, 403].includes(error.status));
}
