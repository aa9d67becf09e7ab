/**
 * OpenStack Swift with its S3 interface, from Debian: a store that checks every signature. One account,
 * one bucket, one disk in a temporary folder, which must be on a file system with extended attributes.
 * Of `swift-proxy`, `swift-account`, `swift-container` and `swift-object` 2.30.
 *
 * @module
 */
import { startCommand } from "../bench/processes.ts";
import { freePort } from "../support/ports.ts";
import { presign, type S3Bucket } from "../../src/files/s3/presign.ts";

export interface RunningSwift extends AsyncDisposable {
  readonly bucket: S3Bucket;
}

const KINDS = ["account", "container", "object"] as const;

/** Starts Swift with an empty bucket; rejects where Debian's packages are not installed. */
export async function startSwift(): Promise<RunningSwift> {
  const stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "recto-swift-" });
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  await Deno.mkdir(`${folder}/d1`);
  const storage = KINDS.map(async (kind) => {
    const port = freePort();
    await makeRing(folder, kind, port);
    await start(stack, { folder, kind, port, text: storageConf(folder, kind, port) });
  });
  await Promise.all(storage);
  const port = freePort();
  await start(stack, { folder, kind: "proxy", port, text: proxyConf(folder, port) });
  const bucket: S3Bucket = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: "recto",
    region: "us-east-1",
    keyId: "test:tester",
    secret: "testing",
    sessionToken: undefined,
    isVirtualHost: false,
  };
  await makeBucket(bucket);
  return { bucket, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

interface Part {
  readonly folder: string;
  readonly kind: string;
  readonly port: number;
  readonly text: string;
}

async function start(
  stack: AsyncDisposableStack,
  { folder, kind, port, text }: Part,
): Promise<void> {
  const path = `${folder}/${kind}.conf`;
  await Deno.writeTextFile(path, text);
  stack.use(await startCommand(`swift-${kind}-server`, [path], { port, ready: answers }));
}

/** Waits until something answers, for a minute at most: a busy machine is slow to load it. */
async function answers(port: number): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end;) {
    try {
      await (await fetch(`http://127.0.0.1:${port}/healthcheck`)).body?.cancel();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error("Swift does not start");
}

async function makeRing(folder: string, kind: string, port: number): Promise<void> {
  const builder = `${folder}/${kind}.builder`;
  const device = `r1z1-127.0.0.1:${port}/d1`;
  for (const args of [["create", "4", "1", "1"], ["add", device, "1"], ["rebalance"]]) {
    const { code, stderr, stdout } = await new Deno.Command("swift-ring-builder", {
      args: [builder, ...args],
    }).output();
    // 1 is a warning: one disk is less than it likes.
    if (code > 1) {
      throw new Error(new TextDecoder().decode(stderr) + new TextDecoder().decode(stdout));
    }
  }
}

function common(folder: string, port: number): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = root
swift_dir = ${folder}
devices = ${folder}
mount_check = false
log_level = ERROR
`;
}

function storageConf(folder: string, kind: string, port: number): string {
  return `${common(folder, port)}
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`;
}

function proxyConf(folder: string, port: number): string {
  return `${common(folder, port)}
[pipeline:main]
pipeline = catch_errors cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
`;
}

async function makeBucket(bucket: S3Bucket): Promise<void> {
  // A bucket is an object without a key to this store.
  const url = await presign(bucket, {
    method: "PUT",
    key: "",
    from: Date.now(),
    seconds: 60,
  });
  const answer = await fetch(url, { method: "PUT" });
  if (!answer.ok) throw new Error(`No bucket: ${answer.status} ${await answer.text()}`);
  await answer.body?.cancel();
}
