/**
 * Stand-ins for the services that the pages name and that a test does not have. Each page has its own.
 *
 * @module
 */
import { startCluster } from "../postgres/cluster.ts";
import { startBucket } from "../support/bucket.ts";
import { startIssuer } from "../support/issuer.ts";
import { startReceiver } from "../telemetry/receiver.ts";

export interface StandIns extends AsyncDisposable {
  /** Variables that a reader who has the real services has set. */
  readonly env: Readonly<Record<string, string>>;
  /** Replaces the names in a text by the addresses of the stand-ins. */
  toAddresses(text: string): string;
  /** Replaces the addresses by the names. */
  toNames(text: string): string;
}

interface StandIn {
  readonly address: string;
  readonly env?: Readonly<Record<string, string>>;
}

type Start = (stack: AsyncDisposableStack) => StandIn | Promise<StandIn>;

/** By the name that the pages use. */
const SERVICES: Readonly<Record<string, Start>> = {
  /** PostgreSQL, for every user and password. */
  async "db.example/recto"(stack) {
    const { url, certificate } = stack.use(await startCluster({ tls: true }));
    const { port, pathname } = new URL(url);
    return { address: `localhost:${port}${pathname}`, env: { DENO_CERT: certificate } };
  },

  /** An S3 store, which takes every key. */
  "https://s3.example": (stack) => ({ address: stack.use(startBucket()).endpoint }),

  async "https://id.example"(stack) {
    return { address: stack.use(await startIssuer()).origin };
  },

  /** A collector of OpenTelemetry, which gets spans at once. */
  "http://127.0.0.1:4318": (stack) => ({
    address: stack.use(startReceiver()).url,
    env: { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_BSP_SCHEDULE_DELAY: "50" },
  }),
};

/** Starts the services that a text names. */
export async function startStandIns(text: string): Promise<StandIns> {
  await using stack = new AsyncDisposableStack();
  const running: (StandIn & { readonly name: string })[] = [];
  for (const [name, start] of Object.entries(SERVICES)) {
    if (text.includes(name)) running.push({ name, ...await start(stack) });
  }
  const kept = stack.move();
  return {
    env: Object.assign({}, ...running.map(({ env }) => env)),
    toAddresses: (text) =>
      running.reduce((all, { name, address }) => all.replaceAll(name, address), text),
    toNames: (text) =>
      running.reduce((all, { name, address }) => all.replaceAll(address, name), text),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
