/**
 * A database that prepares each statement when it first runs: there are hundreds, and preparing them
 * all would take a tenth of a start.
 *
 * @module
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** A SQLite file or a database in memory; wrong SQL is refused when it first runs. */
export class LazyDatabase extends DatabaseSync {
  override prepare(sql: string): StatementSync {
    // Sound because it has every method that the store calls.
    return new LazyStatement(() => super.prepare(sql)) as unknown as StatementSync;
  }
}

/** A method that the declared types lack. */
interface ArrayStatement extends StatementSync {
  setReturnArrays(enabled: boolean): void;
}

class LazyStatement {
  readonly #prepare: () => StatementSync;
  #prepared: StatementSync | undefined;
  #returnsArrays = false;

  constructor(prepare: () => StatementSync) {
    this.#prepare = prepare;
  }

  run(...values: SQLInputValue[]) {
    return this.#statement().run(...values);
  }

  get(...values: SQLInputValue[]) {
    return this.#statement().get(...values);
  }

  all(...values: SQLInputValue[]) {
    return this.#statement().all(...values);
  }

  iterate(...values: SQLInputValue[]) {
    return this.#statement().iterate(...values);
  }

  setReturnArrays(enabled: boolean): void {
    this.#returnsArrays = enabled;
  }

  #statement(): StatementSync {
    return this.#prepared ??= this.#prepareNow();
  }

  #prepareNow(): StatementSync {
    const statement = this.#prepare() as ArrayStatement; // the runtime has the method
    statement.setReturnArrays(this.#returnsArrays);
    return statement;
  }
}
