/**
 * Tests whether the time of a rejection reveals why a token was rejected. Compares kinds of bad tokens
 * in turns with the first kind; the first kind itself is measured twice, to estimate chance.
 *
 * @module
 */
import { openLocalIssuer } from "../../src/auth/local_issuer.ts";
import { createRandom } from "../support/clusters.ts";
import { median, report } from "./measure.ts";
import { baseUrl, startRecto } from "./processes.ts";

const TRIALS = 4_000;
const UNKNOWN_KEY = "an unknown key";
/** Standard errors of a median that may be chance. */
const ERRORS = 4;
/** Microseconds that are not measurable over a network. */
const LEAST = 100;
/** Allowed multiple of the difference between two groups of the same kind. */
const TIMES = 3;

type Kind = readonly [name: string, token: () => string];

export async function benchTiming(print: (line: string) => void): Promise<void> {
  await using recto = await startRecto({ RECTO_LOG_LEVEL: "error" });
  const kinds = await kindsIn(recto.dataDir);
  const times = kinds.map((): number[] => []);
  const random = createRandom(38);
  const url = `${baseUrl(recto.port)}/v2/users/me`;
  for (let trial = -200; trial < TRIALS; trial++) {
    // Shuffled each time, so that no kind always follows the same one.
    const order = [...kinds.keys()].toSorted(() => random() - 0.5);
    for (const index of order) {
      const headers = { authorization: `Bearer ${kinds[index]?.[1]()}` };
      const start = performance.now();
      const response = await fetch(url, { headers });
      await response.body?.cancel();
      const time = (performance.now() - start) * 1_000;
      if (response.status !== 401) throw new Error(`${kinds[index]?.[0]} was not refused`);
      if (trial >= 0) times[index]?.push(time);
    }
  }
  const differences = times.map((own) =>
    own.map((time, trial) => time - (times[0]?.[trial] ?? NaN))
  );
  const chance = Math.abs(median(differences[1] ?? []));
  for (const [index, [name]] of kinds.entries()) {
    const some = differences[index] ?? [];
    const value = Math.abs(median(some));
    const aim = Math.max(LEAST, ERRORS * errorOf(some), TIMES * chance);
    // Key IDs are public: a token with an unknown one is rejected without verification.
    const isPublic = name === UNKNOWN_KEY;
    const told = isPublic ? "any" : `<= ${aim.toFixed(0)} µs`;
    print(report(name, { value, unit: "µs", aim: told, met: isPublic || value <= aim }));
  }
}

/** Returns the standard error of a median, from the median absolute deviation. */
function errorOf(values: readonly number[]): number {
  const middle = median(values);
  const deviation = 1.4826 * median(values.map((value) => Math.abs(value - middle)));
  return 1.2533 * deviation / Math.sqrt(values.length);
}

/** Creates bad tokens of the same length, each different, so that none is cached. */
async function kindsIn(folder: string): Promise<Kind[]> {
  const [own, other] = await Promise.all([
    openLocalIssuer({ folder }),
    openLocalIssuer({ folder: await Deno.makeTempDir({ prefix: "recto-bench-" }) }),
  ]);
  const audience = await openLocalIssuer({ folder, audience: "other" });
  const now = Date.now();
  const usual = { scope: "users.read", ttlSeconds: 3_600, now };
  const many = async (mint: (index: number) => Promise<string>): Promise<() => string> => {
    const tokens = await Promise.all(Array.from({ length: TRIALS + 200 }, (_, i) => mint(i)));
    let next = 0;
    return () => tokens[next++ % tokens.length] ?? "";
  };
  const sub = (index: number) => `user${String(index).padStart(6, "0")}`;
  const forged = (flip: (bytes: Uint8Array) => void) => async (index: number) => {
    const token = await own.mint({ ...usual, sub: sub(index) });
    const dot = token.lastIndexOf(".") + 1;
    const options = { alphabet: "base64url", omitPadding: true } as const;
    const bytes = Uint8Array.fromBase64(token.slice(dot), options);
    flip(bytes);
    return token.slice(0, dot) + bytes.toBase64(options);
  };
  const first = forged((bytes) => bytes[0] = (bytes[0] ?? 0) ^ 1);
  return [
    ["the first byte of the signature", await many(first)],
    ["the same, once more", await many(first)],
    [
      "the last byte of the signature",
      await many(forged((bytes) => bytes[63] = (bytes[63] ?? 0) ^ 1)),
    ],
    ["expired", await many((i) => own.mint({ ...usual, sub: sub(i), now: now - 7_200_000 }))],
    ["another audience", await many((i) => audience.mint({ ...usual, sub: sub(i) }))],
    [UNKNOWN_KEY, await many((i) => other.mint({ ...usual, sub: sub(i) }))],
  ];
}
