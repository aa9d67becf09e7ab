/**
 * `Content-Digest`, the hash of a body that its sender tells beforehand (RFC 9530).
 *
 * @module
 */
import { parseDictionary } from "structured-headers";
import { AppError } from "../shared/errors.ts";

const ALGORITHM = "sha-256";
const HASH_BYTES = 32;

/**
 * The SHA-256 that a field names, in hexadecimal; undefined without a field.
 *
 * Other algorithms beside it are ignored. Throws `invalid_request` for a malformed field and for one
 * without SHA-256: its sender relies on a check that would not be made, and section 2 lets local
 * policy ask for more.
 */
export function readContentDigest(field: string | undefined): string | undefined {
  if (field === undefined) return undefined;
  const [value] = parse(field).get(ALGORITHM) ?? [];
  if (value === undefined) throw refused(`Content-Digest must have ${ALGORITHM}`);
  if (!(value instanceof ArrayBuffer) || value.byteLength !== HASH_BYTES) {
    throw refused(`Content-Digest: ${ALGORITHM} must be ${HASH_BYTES} bytes in base64`);
  }
  return new Uint8Array(value).toHex();
}

function parse(field: string): ReturnType<typeof parseDictionary> {
  try {
    return parseDictionary(field);
  } catch (cause) {
    throw refused("Content-Digest is not a dictionary (RFC 9651)", cause);
  }
}

function refused(detail: string, cause?: unknown): AppError {
  return new AppError("invalid_request", detail, {
    headers: { connection: "close", "want-content-digest": `${ALGORITHM}=10` },
    cause,
  });
}
