/**
 * A store that records its calls and can be made to fail.
 *
 * @module
 */
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import type { Store } from "../../src/store/port.ts";

export interface WatchedStore {
  readonly store: Store;
  /** Names of the methods called so far. */
  readonly calls: string[];
}

type Methods = Omit<Store, "vectorIndex" | "usedProofs" | "early" | "shareTransaction">;

/** Opens a real store in memory with some methods replaced. */
export function watchStore(replaced: Partial<Methods> = {}): WatchedStore {
  const calls: string[] = [];
  const {
    vectorIndex: _none,
    usedProofs: _neither,
    early: _nor,
    shareTransaction: _any,
    ...opened
  } = openSqliteStore(":memory:");
  const methods = Object.entries<Methods[keyof Methods]>({ ...opened, ...replaced });
  const watched = methods.map(([name, method]) => [name, (...args: unknown[]) => {
    calls.push(name);
    return Reflect.apply(method, undefined, args);
  }]);
  // Sound because every method exists and calls the original.
  return { store: Object.fromEntries(watched) as Store, calls };
}
