/**
 * Notes when API keys are used: once an hour for each key, beside the requests.
 *
 * @module
 */
import type { ApiKey, ApiKeyReader, ApiKeyUse } from "../store/port.ts";

const HOUR = 3_600_000;
/** Milliseconds in which uses are collected, so that many keys need one write. */
const DELAY = 1_000;

export interface ApiKeyUses {
  /** Notes the use of a key, unless its hour has been noted. */
  add(key: Pick<ApiKey, "id" | "workspace" | "usedTime">, now: number): void;
  /** Writes what was collected; never rejects. */
  close(): Promise<void>;
}

/** Collects uses. A write that fails is left out: the next verification of the key repeats it. */
export function createApiKeyUses(store: Pick<ApiKeyReader, "noteApiKeyUses">): ApiKeyUses {
  let collected = new Map<string, ApiKeyUse>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const uses = [...collected.values()];
    collected = new Map();
    if (uses.length > 0) await store.noteApiKeyUses(uses).catch(() => {});
  };
  return {
    add: ({ id, workspace, usedTime }, now) => {
      const time = now - now % HOUR;
      if (usedTime !== null && usedTime >= time) return;
      collected.set(`${workspace}\n${id}`, { workspace, id, time });
      timer ??= setTimeout(write, DELAY);
    },
    close: write,
  };
}
