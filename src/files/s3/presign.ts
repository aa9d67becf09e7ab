/**
 * Presigned requests to S3-compatible stores (AWS Signature Version 4).
 *
 * @module
 */
import { AwsV4Signer } from "aws4fetch";

export interface S3Bucket {
  /** Origin of the store. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
  readonly sessionToken: string | undefined;
  /** Whether the bucket is a part of the host's name and not of the path. */
  readonly isVirtualHost: boolean;
}

export interface PresignOptions {
  readonly method: "GET" | "HEAD" | "PUT" | "DELETE";
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Fields that the request must have. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch from which on it is valid. */
  readonly from: number;
  /** How long it is valid. */
  readonly seconds: number;
}

/** The address of one request; the same for the same arguments. */
export async function presign(bucket: S3Bucket, presigning: PresignOptions): Promise<string> {
  const { method, key, query = {}, headers = {}, from, seconds } = presigning;
  const url = new URL(`${baseUrl(bucket)}/${key}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  url.searchParams.set("X-Amz-Expires", String(Math.floor(seconds)));
  const { keyId, secret, sessionToken, region } = bucket;
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers,
    accessKeyId: keyId,
    secretAccessKey: secret,
    ...(sessionToken !== undefined && { sessionToken }),
    service: "s3",
    region,
    datetime: new Date(from).toISOString().replace(/\.\d+/, "").replaceAll(/[-:]/g, ""),
    signQuery: true,
    // Those that are left out by default are what the store is to insist on.
    allHeaders: true,
  });
  const signed = await signer.sign();
  // It signs a space as %20, and a store may take a plus as it is.
  return signed.url.href.replaceAll("+", "%20");
}

function baseUrl({ endpoint, bucket, isVirtualHost }: S3Bucket): string {
  if (!isVirtualHost) return `${endpoint}/${bucket}`;
  const { protocol, host } = new URL(endpoint);
  return `${protocol}//${bucket}.${host}`;
}
