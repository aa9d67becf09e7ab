/**
 * Users of a workspace.
 *
 * @module
 */
import type { User, UserClaims } from "../../content/values/users.ts";

export interface UserStore {
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
