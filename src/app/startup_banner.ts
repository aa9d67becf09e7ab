/**
 * The message for a person who starts the server in a terminal.
 *
 * @module
 */
import type { Config } from "../config/config.ts";

/** Returns the URL and, with the local issuer, commands that mint a token and make a first call. */
export function startupBanner({ auth, launcher }: Config, publicUrl: string): string {
  const address = `Recto is listening on ${publicUrl}\n`;
  if (auth.kind === "issuer") return address;
  return `${address}
Mint a token:
  ${launcher} task token --scope "users.read users.email.read pages.read pages.write blocks.read blocks.write"

First call:
  curl -s -H "Authorization: Bearer $(${launcher} task --quiet token --scope users.read)" ${publicUrl}/v2/users/me

`;
}
