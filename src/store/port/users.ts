/**
 * Users of a workspace.
 *
 * @module
 */
import type { User, UserClaims } from "../../content/values/users.ts";
import type { StoredUser } from "../reads/user_row.ts";

export interface UserStore {
  /** Returns the user without comparing it with its checksum; not to be shown. */
  storedUser(workspace: string, id: string): Promise<StoredUser | undefined>;

  user(workspace: string, id: string): Promise<User | undefined>;

  /** Returns the existing users among `ids`. */
  users(workspace: string, ids: readonly string[]): Promise<User[]>;

  /** Returns users that were not erased, by ID, behind `after` or from the first. */
  usersAfter(workspace: string, after: string | undefined, limit: number): Promise<User[]>;

  /**
   * Creates the user or updates the members that its token carries; the others stay. Does nothing for a
   * user that an operator erased.
   */
  saveUser(workspace: string, claims: UserClaims): Promise<void>;
}
