/**
 * The queue of pages and databases whose vectors are due.
 *
 * @module
 */

/** For how long a worker may work on what it takes from the queue. */
export interface Lease {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** At most this many pages. */
  readonly limit: number;
}

/** A page or database whose vectors are due. */
export interface DuePage {
  readonly id: string;
  /** Grows each time the page changes. */
  readonly change: number;
}

export interface IndexQueue {
  /** Returns the workspaces that have a queue. */
  dueWorkspaces(): Promise<string[]>;

  /** Returns the workspaces whose queue has pages that a commit put there and no worker has taken. */
  writtenWorkspaces(): Promise<string[]>;

  /**
   * Takes pages and databases whose content changed since their vectors were made. Every commit puts
   * what it changes into the queue, ahead of what a new vector space asks for. No other worker gets the
   * same pages before the lease ends.
   */
  takeDue(workspace: string, lease: Lease): Promise<DuePage[]>;

  /** Ends the lease of these pages: they stay in the queue and can be taken at once. */
  releaseDue(workspace: string, pages: readonly DuePage[]): Promise<void>;

  /** Removes these pages from the queue, and releases those that have changed again. */
  finishDue(workspace: string, pages: readonly DuePage[]): Promise<void>;

  /** Returns how many pages and databases are in the queue, taken or not. */
  countDue(workspace: string): Promise<number>;
}
