/**
 * Rotating the local issuer's key pair, and revoking its tokens.
 *
 * @module
 */
import { decodeJwt } from "jose/jwt/decode";
import { LOCAL_ISSUER, MAX_LIFETIME } from "./local_issuer.ts";
import {
  changeIssuerFile,
  generateIssuerKeyPair,
  type LocalIssuerFile,
} from "./local_issuer_file.ts";
import { CLOCK_TOLERANCE } from "./times.ts";

/**
 * Replaces the key pair of a folder. Tokens of all key pairs before it end at `graceEnd`, unless they
 * end sooner. Times are in milliseconds since the epoch.
 */
export async function rotateLocalIssuer(
  folder: string,
  { now, graceEnd }: { readonly now: number; readonly graceEnd: number },
): Promise<void> {
  const pair = await generateIssuerKeyPair();
  await changeIssuerFile(folder, ({ d: _, previous, revoked, ...current }) => ({
    ...pair,
    previous: unexpired(
      [...previous, { ...current, expires: graceEnd }]
        .map((key) => ({ ...key, expires: Math.min(key.expires, graceEnd) })),
      now,
    ),
    revoked: stillAccepted(revoked, now),
  }));
}

/** The token to revoke: its `jti` claim, and when it expires anyway. */
export type RevokedToken = LocalIssuerFile["revoked"][number];

const JTI = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns what to revoke: `text` is a token of the local issuer or its `jti` claim. Undefined if it is
 * neither.
 */
export function readRevokedToken(text: string, now: number): RevokedToken | undefined {
  // The CLI lets no token live longer.
  const latest = now + MAX_LIFETIME * 1000;
  if (JTI.test(text)) return { jti: text, expires: latest };
  try {
    const { iss, jti, exp } = decodeJwt(text);
    if (iss !== LOCAL_ISSUER || typeof jti !== "string") return undefined;
    return { jti, expires: typeof exp === "number" ? exp * 1000 : latest };
  } catch {
    return undefined;
  }
}

/** Revokes a token; false if it was revoked before. */
export async function revokeLocalToken(
  folder: string,
  token: RevokedToken,
  now: number,
): Promise<boolean> {
  let isNew = false;
  await changeIssuerFile(folder, (file) => {
    isNew = file.revoked.every(({ jti }) => jti !== token.jti);
    const revoked = stillAccepted(file.revoked, now);
    return { ...file, revoked: isNew ? [...revoked, token] : revoked };
  });
  return isNew;
}

/** A token is accepted for a while after it has expired. */
function stillAccepted(revoked: readonly RevokedToken[], now: number): RevokedToken[] {
  return unexpired(revoked, now - CLOCK_TOLERANCE * 1_000);
}

function unexpired<T extends { readonly expires: number }>(all: readonly T[], now: number): T[] {
  return all.filter(({ expires }) => expires > now);
}
