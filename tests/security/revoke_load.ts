/**
 * Revokes and replaces credentials while several processes of the real service serve them.
 *
 * @module
 */
import { decodeJwt } from "jose";
import { openLocalIssuer } from "../../src/auth/local_issuer.ts";
import { keys } from "../../src/cli/keys.ts";
import { assert, assertEquals } from "../assert.ts";
import { baseUrl } from "../bench/processes.ts";

/** Callers of each credential in each process. */
const CALLERS = 2;
/** Milliseconds after which nothing that was revoked may be accepted. */
const BOUND = 1_000;
/** Milliseconds for which callers go on after that. */
const AFTER = 1_500;

export interface RevokeLoadOptions {
  /** Ports of processes on one database and one data folder. */
  readonly ports: readonly number[];
  /** The environment of the processes. */
  readonly env: Readonly<Record<string, string>>;
}

interface Call {
  readonly startedAt: number;
  readonly status: number;
}

/**
 * Runs the load. Throws if a process accepts what was revoked more than a second before, or ever
 * refuses what was not. Returns how many milliseconds after its revocation a credential was last
 * accepted.
 */
export async function revokeUnderLoad({ ports, env }: RevokeLoadOptions): Promise<number> {
  const run = async (...args: string[]): Promise<string> => {
    const environment = (name: string) => Reflect.get(env, name);
    const readInput = () => Promise.resolve("");
    const { code, stdout, stderr } = await keys(args, { environment, now: Date.now(), readInput });
    assertEquals(code, 0, stderr);
    return stdout.trim();
  };
  const create = (name: string) => run("create", "--name", name, "--scope", "users.read");
  const issuer = await openLocalIssuer({ folder: env.RECTO_DATA_DIR ?? "" });
  const mint = () => issuer.mint({ scope: "users.read", ttlSeconds: 600, now: Date.now() });
  const doomed = { key: await create("a"), rotated: await create("b"), token: await mint() };
  const untouched = [await create("c"), await mint()];

  const stopping = new AbortController();
  const load = (credential: string) =>
    ports.map((port) => startCallers({ port, credential, signal: stopping.signal }));
  const served = [...Object.values(doomed), ...untouched].flatMap(load);
  await Promise.all(served.map(({ warm }) => warm));
  await run("revoke", doomed.key);
  await run("rotate", doomed.rotated, "--grace", "0s");
  await run("issuer", "revoke", decodeJwt(doomed.token).jti ?? "");
  const revokedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, BOUND + AFTER));
  stopping.abort();
  const calls = await Promise.all(served.map(({ done }) => done));

  const split = Object.keys(doomed).length * ports.length;
  for (const own of calls.slice(split)) {
    assertEquals(
      new Set(own.map(({ status }) => status)),
      new Set([200]),
      "nobody else is refused",
    );
  }
  const ended = calls.slice(0, split);
  for (const own of ended) {
    const late = own.filter(({ startedAt }) => startedAt > revokedAt + BOUND);
    assert(late.length > 0, "callers went on");
    assertEquals(new Set(late.map(({ status }) => status)), new Set([401]));
  }
  const accepted = ended.flat().filter(({ status }) => status === 200);
  return Math.max(...accepted.map(({ startedAt }) => startedAt)) - revokedAt;
}

interface CallerOptions {
  readonly port: number;
  readonly credential: string;
  readonly signal: AbortSignal;
}

/** Starts callers of one process; `warm` resolves once the credential is cached there. */
function startCallers({ port, credential, signal }: CallerOptions) {
  const calls: Call[] = [];
  const { promise: warm, resolve } = Promise.withResolvers<void>();
  const callOn = async (): Promise<void> => {
    while (!signal.aborted) {
      const startedAt = performance.now();
      const response = await fetch(`${baseUrl(port)}/v2/users/me`, {
        headers: { authorization: `Bearer ${credential}` },
      });
      await response.body?.cancel();
      calls.push({ startedAt, status: response.status });
      if (calls.length === 2 * CALLERS) resolve();
    }
  };
  const done = Promise.all(Array.from({ length: CALLERS }, callOn)).then(() => calls);
  return { warm: Promise.race([warm, done]), done };
}
