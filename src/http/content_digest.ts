/**
 * `Content-Digest`: the hash of a body, sent with its header (RFC 9530).
 *
 * @module
 */
import { parseDictionary } from "structured-headers";
import { AppError } from "../shared/errors.ts";

const ALGORITHM = "sha-256";
const HASH_BYTES = 32;

/**
 * Returns the SHA-256 of the field in hexadecimal; undefined without the field.
 *
 * Other algorithms are ignored. Throws `invalid_request` for a malformed field and for one without
 * SHA-256, because its sender would rely on a check that does not happen.
 */
export function readContentDigest(field: string | undefined): string | undefined {
  if (field === undefined) return undefined;
  const [value] = parse(field).get(ALGORITHM) ?? [];
  if (value === undefined) throw invalidDigest(`Content-Digest must have ${ALGORITHM}`);
  if (!(value instanceof ArrayBuffer) || value.byteLength !== HASH_BYTES) {
    throw invalidDigest(`Content-Digest: ${ALGORITHM} must be ${HASH_BYTES} bytes in base64`);
  }
  return new Uint8Array(value).toHex();
}

function parse(field: string): ReturnType<typeof parseDictionary> {
  try {
    return parseDictionary(field);
  } catch (cause) {
    throw invalidDigest("Content-Digest is not a dictionary (RFC 9651)", cause);
  }
}

function invalidDigest(detail: string, cause?: unknown): AppError {
  return new AppError("invalid_request", detail, {
    headers: { connection: "close", "want-content-digest": `${ALGORITHM}=10` },
    cause,
  });
}
