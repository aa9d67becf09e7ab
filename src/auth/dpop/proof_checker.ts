/**
 * Checks DPoP proofs: that the caller holds the key that its token is bound to (RFC 9449 sections
 * 4.3 and 7.1).
 *
 * @module
 */
import { createHash } from "node:crypto";
import { compactVerify } from "jose/jws/compact/verify";
import { LRUCache } from "lru-cache";
import { decodeCanonical } from "../compact_jws.ts";
import { parseStrictObject } from "../strict_json.ts";
import { InvalidProof } from "./invalid_proof.ts";
import type { Nonces } from "./nonces.ts";
import { type ProofKey, readProofKey } from "./proof_key.ts";
import { isTargetUri } from "./target_uri.ts";
import type { UsedProofs } from "./used_proofs.ts";

/** A request with a bound token. */
export interface ProofRequest {
  /** The `DPoP` header field; undefined if there is none. */
  readonly proof: string | undefined;
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  readonly token: string;
  /** Thumbprint of the key that the token is bound to. */
  readonly boundKey: string;
}

export interface ProofCheckerOptions {
  /** The origin that clients send requests to. */
  readonly publicUrl: string;
  readonly usedProofs: UsedProofs;
  /** Undefined: proofs need no nonce, and are judged by the time at which they were made. */
  readonly nonces: Nonces | undefined;
}

/** A proof that was accepted. */
export interface AcceptedProof {
  readonly usedNonce: string | undefined;
}

/**
 * Checks the proof of a request at `now` (milliseconds since the epoch).
 *
 * Rejects with `InvalidProof`, or with `service_unavailable` if it cannot be known whether the proof
 * was used before.
 */
export type CheckProof = (request: ProofRequest, now: number) => Promise<AcceptedProof>;

const MAX_LENGTH = 8 * 1024;
const MAX_JTI_LENGTH = 256;
/** Keys of clients that proved to hold them. */
const MAX_KEYS = 1_000;
/** Seconds that a proof is valid for, and that the client's clock may be ahead of ours. */
const MAX_AGE = 60;
const MAX_AHEAD = 10;
/** Seconds for `exp` and `nbf`, which a proof need not have. */
const CLOCK_TOLERANCE = 30;
/** Milliseconds that processes with a common record may differ in their clocks. */
const CLOCK_DIFFERENCE = 5_000;

/** The parts of a compact JWS. */
interface Proof {
  readonly text: string;
  readonly header: string;
  readonly claims: ReadonlyMap<string, unknown>;
}

/**
 * Creates the check. What is cheap to check comes first, the signature behind it, and whether the
 * proof was used comes last: only the holder of the key can use one up.
 */
export function createProofChecker(options: ProofCheckerOptions): CheckProof {
  const { usedProofs, nonces } = options;
  const origin = new URL(options.publicUrl).origin;
  const findKey = createKeyCache();
  return async (request, now) => {
    const proof = parseProof(request.proof);
    const key = await findKey(proof.header, request.boundKey);
    checkRequest(proof.claims, request, origin);
    const id = readId(proof.claims, key);
    checkOwnTimes(proof.claims, now);
    const { usedNonce, expiresTime } = nonces === undefined
      ? checkAge(proof.claims, now)
      : checkNonce(proof.claims, nonces, now);
    await checkSignature(proof, key);
    if (!await usedProofs.useProof(id, expiresTime + CLOCK_DIFFERENCE, now)) {
      throw new InvalidProof("The proof was used before: make a new one for each request");
    }
    return { usedNonce };
  };
}

function parseProof(field: string | undefined): Proof {
  if (field === undefined) throw new InvalidProof("The DPoP header is missing");
  if (field.length > MAX_LENGTH) throw new InvalidProof("The DPoP header is longer than 8 KiB");
  // Fields that are sent twice are joined by a comma.
  if (field.includes(",")) throw new InvalidProof("The DPoP header must be sent exactly once");
  const [header, payload, signature, ...rest] = field.split(".");
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) {
    throw new InvalidProof("The DPoP header is not a JWT of three parts");
  }
  return { text: field, header, claims: parsePart(payload) };
}

function parsePart(part: string): ReadonlyMap<string, unknown> {
  try {
    return parseStrictObject(decodeCanonical(part));
  } catch {
    throw new InvalidProof("A part of the proof is not a JSON object in base64url");
  }
}

/**
 * Creates the lookup of a proof's key by its encoded header, which is the same in all proofs of most
 * clients. A key is cached only if the caller's token is bound to it.
 */
function createKeyCache(): (header: string, boundKey: string) => Promise<ProofKey> {
  const cache = new LRUCache<string, ProofKey>({ max: MAX_KEYS });
  return async (header, boundKey) => {
    const cached = cache.get(header);
    const key = cached ?? await readProofKey(parsePart(header));
    if (key.thumbprint !== boundKey) {
      throw new InvalidProof("The token is bound to another key", "invalid_token");
    }
    if (cached === undefined) cache.set(header, key);
    return key;
  };
}

function checkRequest(
  claims: ReadonlyMap<string, unknown>,
  { method, path, token }: ProofRequest,
  origin: string,
): void {
  if (claims.get("htm") !== method) {
    throw new InvalidProof("The htm claim is not the method of the request");
  }
  const htu = claims.get("htu");
  if (typeof htu !== "string" || !isTargetUri(htu, origin, path)) {
    throw new InvalidProof(`The htu claim is not the URL of the request at ${origin}`);
  }
  if (claims.get("ath") !== sha256(token)) {
    throw new InvalidProof("The ath claim is not the hash of the access token");
  }
}

/** Returns what tells a proof from every other one: `jti` is unique among those of a key. */
function readId(claims: ReadonlyMap<string, unknown>, { thumbprint }: ProofKey): string {
  const jti = claims.get("jti");
  if (typeof jti !== "string" || jti === "" || jti.length > MAX_JTI_LENGTH) {
    throw new InvalidProof("The jti claim is not a string of 1 to 256 characters");
  }
  return sha256(`${thumbprint}\0${jti}`);
}

/** A proof need not have `exp` and `nbf`, but they mean what they mean in every JWT (RFC 7519). */
function checkOwnTimes(claims: ReadonlyMap<string, unknown>, now: number): void {
  const seconds = now / 1000;
  const exp = readSeconds(claims, "exp") ?? Infinity;
  const nbf = readSeconds(claims, "nbf") ?? -Infinity;
  if (exp <= seconds - CLOCK_TOLERANCE) throw new InvalidProof("The proof has expired");
  if (nbf > seconds + CLOCK_TOLERANCE) throw new InvalidProof("The nbf claim is in the future");
  if (readSeconds(claims, "iat") === undefined) throw new InvalidProof("The iat claim is missing");
}

/** A proof that is new enough. */
interface FreshProof extends AcceptedProof {
  /** When it stops being valid, in milliseconds since the epoch. */
  readonly expiresTime: number;
}

/** Judges the proof by the client's clock. */
function checkAge(claims: ReadonlyMap<string, unknown>, now: number): FreshProof {
  const iat = readSeconds(claims, "iat") ?? NaN;
  const age = now / 1000 - iat;
  if (!(age <= MAX_AGE)) throw new InvalidProof("The iat claim is more than 60 s ago");
  if (age < -MAX_AHEAD) throw new InvalidProof("The iat claim is more than 10 s in the future");
  return { usedNonce: undefined, expiresTime: (iat + MAX_AGE) * 1000 };
}

/** Judges the proof by its nonce, which we gave out, whatever the client's clock says. */
function checkNonce(
  claims: ReadonlyMap<string, unknown>,
  nonces: Nonces,
  now: number,
): FreshProof {
  const nonce = claims.get("nonce");
  if (nonce === undefined) {
    throw new InvalidProof("The nonce claim is missing: use that of DPoP-Nonce", "use_dpop_nonce");
  }
  const expiresTime = typeof nonce === "string" ? nonces.expiry(nonce, now) : undefined;
  if (typeof nonce !== "string" || expiresTime === undefined) {
    throw new InvalidProof("The nonce is not valid: use that of DPoP-Nonce", "use_dpop_nonce");
  }
  return { usedNonce: nonce, expiresTime };
}

function readSeconds(claims: ReadonlyMap<string, unknown>, claim: string): number | undefined {
  const value = claims.get(claim);
  if (value === undefined || (typeof value === "number" && Number.isFinite(value))) return value;
  throw new InvalidProof(`The ${claim} claim is not a number`);
}

async function checkSignature({ text }: Proof, { key, algorithm }: ProofKey): Promise<void> {
  try {
    // The verifier would accept other spellings of the same bytes.
    decodeCanonical(text.slice(text.lastIndexOf(".") + 1));
    await compactVerify(text, key, { algorithms: [algorithm] });
  } catch {
    throw new InvalidProof("The signature does not match the key in the jwk header");
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
