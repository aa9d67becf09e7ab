/**
 * Users of a workspace.
 *
 * @module
 */
import type { User, UserClaims } from "../../content/values/users.ts";

export interface UserStore {
  user(workspace: string, id: string): Promise<User | undefined>;

  /** Returns users of a workspace by ID, behind `after`; erased ones are left out. */
  workspaceUsers(
    workspace: string,
    options: { readonly after: string; readonly limit: number },
  ): Promise<User[]>;

  /** Returns the existing users among `ids`. */
  users(workspace: string, ids: readonly string[]): Promise<User[]>;

  /**
   * Creates the user or updates the members that its token carries; the others stay. Does nothing for a
   * user that an operator erased.
   */
  saveUser(workspace: string, claims: UserClaims): Promise<void>;
}
