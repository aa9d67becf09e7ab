/**
 * Whether the time of a refusal tells why a token was refused: kinds of bad tokens in turns, each beside
 * two groups of the same kind, whose difference is chance.
 *
 * @module
 */
import { openLocalIssuer } from "../../src/auth/dev_issuer.ts";
import { createRandom } from "../support/clusters.ts";
import { median, report } from "./measure.ts";
import { baseUrl, startRecto } from "./processes.ts";

const TRIALS = 4_000;
/** Differences of medians between kinds may be so many times the one that chance makes, or so small. */
const MOST_TIMES = 3;
const MOST_MICROSECONDS = 50;

type Kind = readonly [name: string, token: () => string];

export async function benchTiming(print: (line: string) => void): Promise<void> {
  await using recto = await startRecto({ LOG_LEVEL: "error" });
  const kinds = await kindsIn(recto.dataDir);
  const times = kinds.map((): number[] => []);
  const random = createRandom(38);
  const url = `${baseUrl(recto.port)}/v2/users/me`;
  for (let trial = -200; trial < TRIALS; trial++) {
    // In an order of its own each time, so that none always follows the same one.
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
  const medians = times.map(median);
  const [first = NaN, second = NaN] = medians;
  const chance = Math.max(Math.abs(first - second), spreadOf(times[0] ?? []));
  kinds.forEach(([name], index) => {
    const value = Math.abs((medians[index] ?? NaN) - first);
    const aim = Math.max(MOST_TIMES * chance, MOST_MICROSECONDS);
    print(report(name, { value, unit: "µs", aim: `< ${aim.toFixed(0)} µs`, met: value < aim }));
  });
}

/** How far the medians of ten parts of the same trials lie apart. */
function spreadOf(times: readonly number[]): number {
  const size = Math.ceil(times.length / 10);
  const medians = Array.from(
    { length: 10 },
    (_, part) => median(times.slice(part * size, (part + 1) * size)),
  );
  return Math.max(...medians) - Math.min(...medians);
}

/** Bad tokens of one length, each time another one, so that none is known already. */
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
    ["an unknown key", await many((i) => other.mint({ ...usual, sub: sub(i) }))],
  ];
}
