/**
 * The public key in the header of a DPoP proof (RFC 9449 section 4.2).
 *
 * @module
 */
import { calculateJwkThumbprint } from "jose/jwk/thumbprint";
import { importJWK } from "jose/key/import";
import type { JWK } from "jose";
import * as v from "valibot";
import { UNSUPPORTED_MEMBERS } from "../compact_jws.ts";
import { isStrongKey } from "../usable_keys.ts";
import { InvalidProof } from "./invalid_proof.ts";

/**
 * Accepted signature algorithms, the usual one first. ES512 is left out: a check takes four times as
 * long as one of ES256.
 */
export const DPOP_ALGORITHMS: readonly string[] = [
  ...["ES256", "ES384", "Ed25519", "EdDSA", "PS256", "RS256"],
];

export interface ProofKey {
  readonly algorithm: string;
  readonly key: CryptoKey;
  /** SHA-256 thumbprint (RFC 7638), as in `cnf.jkt`. */
  readonly thumbprint: string;
}

const jwkSchema = v.record(v.string(), v.unknown());

/** Members of private and symmetric keys (RFC 7518 section 6). */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** Base64url lengths: 4096 bits of modulus, 32 of exponent. A larger one makes a check take long. */
const MAX_RSA_LENGTH = { n: 683, e: 6 } as const;

/** Reads algorithm and key of a proof's parsed header; rejects with `InvalidProof`. */
export async function readProofKey(header: ReadonlyMap<string, unknown>): Promise<ProofKey> {
  if (header.get("typ") !== "dpop+jwt") throw new InvalidProof("The typ header is not dpop+jwt");
  const unsupported = UNSUPPORTED_MEMBERS.find((member) => header.has(member));
  if (unsupported !== undefined) {
    throw new InvalidProof(`The ${unsupported} header is not supported`);
  }
  const algorithm = DPOP_ALGORITHMS.find((one) => one === header.get("alg"));
  if (algorithm === undefined) throw new InvalidProof("The alg header is not allowed");
  const jwk = readPublicJwk(header.get("jwk"));
  return {
    algorithm,
    key: await importPublicKey(jwk, algorithm),
    thumbprint: await calculateJwkThumbprint(jwk),
  };
}

function readPublicJwk(value: unknown): JWK {
  if (!v.is(jwkSchema, value)) throw new InvalidProof("The jwk header is not a key");
  if (PRIVATE_MEMBERS.some((member) => member in value)) {
    throw new InvalidProof("The jwk header contains a private or symmetric key");
  }
  if (!isBounded(value) || !isStrongKey(value)) {
    throw new InvalidProof("The jwk header has a key of a type or size that is not accepted");
  }
  const { kty, crv, x, y, n, e } = value;
  const members = Object.entries({ kty, crv, x, y, n, e })
    .filter(([, member]) => member !== undefined);
  if (!members.every(([, member]) => isMember(member))) {
    throw new InvalidProof("The jwk header has a member that is not a text or is empty");
  }
  // Sound because importing the key checks each member that its type needs.
  return Object.fromEntries(members) as JWK;
}

function isBounded({ n = "", e = "" }: Readonly<Record<string, unknown>>): boolean {
  return typeof n === "string" && n.length <= MAX_RSA_LENGTH.n &&
    typeof e === "string" && e.length <= MAX_RSA_LENGTH.e;
}

/** Importing a key takes a list for a text, and an empty coordinate for one; its thumbprint does not. */
function isMember(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

async function importPublicKey(jwk: JWK, algorithm: string): Promise<CryptoKey> {
  const key = await importJWK(jwk, algorithm).catch(() => undefined);
  if (key === undefined || key instanceof Uint8Array) {
    throw new InvalidProof("The jwk header is not a valid key for the alg header");
  }
  return key;
}
