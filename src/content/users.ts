/** A person or bot of a workspace. */
export interface User {
  readonly id: string;
  readonly type: "person" | "bot";
  readonly name: string | null;
  readonly email: string | null;
  readonly avatarUrl: string | null;
}
