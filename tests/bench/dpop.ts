/**
 * The cost of a proof: requests per second, and processor time of each, of one page read with a
 * bearer token and with a token that is bound to a key. The two run in turns.
 *
 * @module
 */
import { createDpopClient } from "../api/dpop_driver.ts";
import { createPage } from "./http.ts";
import { openLocalIssuer } from "../../src/auth/local_issuer.ts";
import { median, report } from "./measure.ts";
import { baseUrl, type RunningRecto, startRecto } from "./processes.ts";
import { processorTime } from "./processor_time.ts";

const ROUNDS = 5;
const SECONDS = 1;
const CONNECTIONS = 32;
/** More than a round can use. */
const PROOFS = 6_000;
const SCOPE = "pages.read pages.write";

/** Sends each proof of a file once, and then none. */
const SCRIPT = `
local proofs = {}
for line in io.lines(os.getenv("PROOFS")) do proofs[#proofs + 1] = line end
local sent = 0
request = function()
  sent = sent + 1
  return wrk.format("GET", nil, { authorization = os.getenv("TOKEN"), dpop = proofs[sent] })
end
`;

export async function benchDpop(print: (line: string) => void): Promise<void> {
  await using recto = await startRecto({ RECTO_AUTH_DPOP: "accept" });
  const client = await createDpopClient();
  const issuer = await openLocalIssuer({ folder: recto.dataDir });
  const common = { scope: SCOPE, ttlSeconds: 3_600, now: Date.now() };
  const bearer = await issuer.mint(common);
  const token = await issuer.mint({ ...common, boundKey: client.thumbprint });
  const path = `/v2/pages/${await createPage(recto.port, bearer)}`;
  const prove = (nonce: string | null) =>
    client.prove(`GET ${path}`, { token, nonce, origin: baseUrl(recto.port) });
  const loads = {
    bearer: () => load(recto, path, { authorization: `Bearer ${bearer}` }),
    bound: async () => {
      const nonce = await nonceOf(recto, path, { token, proof: await prove(null) });
      const proofs = await Promise.all(Array.from({ length: PROOFS }, () => prove(nonce)));
      return await load(recto, path, { authorization: `DPoP ${token}`, proofs });
    },
  };
  const measured = { bearer: [] as Load[], bound: [] as Load[] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const kind of ["bearer", "bound"] as const) {
      const one = await loads[kind]();
      if (round >= 0) measured[kind].push(one);
    }
  }
  const rate = (kind: keyof typeof measured) => median(measured[kind].map(({ rate }) => rate));
  const time = (kind: keyof typeof measured) => median(measured[kind].map(({ time }) => time));
  const cost = time("bound") - time("bearer");
  print(report("processor time of a proof, of a page read", {
    value: cost / 1_000,
    unit: "ms",
    aim: "<= 2",
    met: cost <= 2_000,
  }));
  print(
    `     bearer ${rate("bearer").toFixed(0)}/s at ${time("bearer").toFixed(0)} µs, ` +
      `bound ${rate("bound").toFixed(0)}/s at ${time("bound").toFixed(0)} µs`,
  );
}

async function nonceOf(
  { port }: RunningRecto,
  path: string,
  { token, proof }: { readonly token: string; readonly proof: string },
): Promise<string | null> {
  const headers = { authorization: `DPoP ${token}`, dpop: proof };
  const response = await fetch(`${baseUrl(port)}${path}`, { headers });
  await response.body?.cancel();
  return response.headers.get("dpop-nonce");
}

interface Load {
  /** Requests per second. */
  readonly rate: number;
  /** Microseconds of processor time for each. */
  readonly time: number;
}

/** Sends requests with `wrk`; throws if any response is an error. */
async function load(
  { port, pid }: RunningRecto,
  path: string,
  { authorization, proofs = [] }: { authorization: string; proofs?: readonly string[] },
): Promise<Load> {
  const folder = await Deno.makeTempDir({ prefix: "recto-bench-" });
  try {
    await Deno.writeTextFile(`${folder}/request.lua`, SCRIPT);
    await Deno.writeTextFile(`${folder}/proofs`, proofs.join("\n"));
    const before = await processorTime(pid);
    const { stdout } = await new Deno.Command("wrk", {
      args: [
        ...["-t1", `-c${CONNECTIONS}`, `-d${SECONDS}s`, "-s", `${folder}/request.lua`],
        `${baseUrl(port)}${path}`,
      ],
      env: { TOKEN: authorization, PROOFS: `${folder}/proofs` },
    }).output();
    const time = await processorTime(pid) - before;
    const text = new TextDecoder().decode(stdout);
    const [, requests, rate] = /(\d+) requests in[\s\S]*Requests\/sec:\s+([\d.]+)/.exec(text) ?? [];
    if (rate === undefined || /Non-2xx|Socket errors/.test(text)) throw new Error(text);
    return { rate: Number(rate), time: time / Number(requests) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
