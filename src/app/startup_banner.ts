/**
 * What a person reads who starts the server in a terminal.
 *
 * @module
 */
import type { Config } from "../config/config.ts";

/** The address, and with the local issuer how to make a token and a first call that works. */
export function startupBanner({ auth, launcher }: Config, publicUrl: string): string {
  const address = `Recto listens on ${publicUrl}\n`;
  if (auth.kind === "issuer") return address;
  return `${address}
Mint a token:
  ${launcher} task token --scope "users.read users.email.read pages.read pages.write blocks.read blocks.write"

First call:
  curl -s -H "Authorization: Bearer $(${launcher} task --quiet token --scope users.read)" ${publicUrl}/v2/users/me

`;
}
