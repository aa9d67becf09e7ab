/**
 * Presigned requests to S3-compatible stores (AWS Signature Version 4).
 *
 * @module
 */
import { AwsV4Signer } from "aws4fetch";

export interface S3Bucket {
  /** Origin of the service. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
  readonly sessionToken: string | undefined;
  /** True if the bucket is part of the host name rather than the path. */
  readonly isVirtualHost: boolean;
}

export interface PresignOptions {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Header fields that the request must have. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Start of the validity, in milliseconds since the epoch. */
  readonly from: number;
  /** Length of the validity. */
  readonly seconds: number;
}

/** Returns the URL of one request; equal for equal arguments. */
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
    // By default the signature omits the very headers that S3 must enforce.
    allHeaders: true,
  });
  const signed = await signer.sign();
  // The signature encodes a space as %20, and S3 may take a plus literally.
  return signed.url.href.replaceAll("+", "%20");
}

function baseUrl({ endpoint, bucket, isVirtualHost }: S3Bucket): string {
  if (!isVirtualHost) return `${endpoint}/${bucket}`;
  const { protocol, host } = new URL(endpoint);
  return `${protocol}//${bucket}.${host}`;
}
