/**
 * Decisions per second of the gateway, beside a bare `Deno.serve` that sends the same bytes, and nginx
 * that asks either of them about each request. All in turns, because machines are noisy.
 *
 * @module
 */
import { median, report } from "./measure.ts";
import {
  baseUrl,
  listening,
  mint,
  type RunningProcess,
  startCommand,
  startProcess,
} from "./processes.ts";
import { freePort } from "../support/ports.ts";
import { load, SECONDS, startBare, TRANSPORT } from "./http.ts";
import { processorTime } from "./processor_time.ts";

const ROUNDS = 21;
const AIM = 0.6;

const POLICY = {
  service: "shop",
  scopes: { "orders:read": "Read orders.", "orders:write": "Write orders." },
  routes: {
    "GET /orders": ["orders:read"],
    "GET /orders/:id": ["orders:read"],
    "PUT /orders/:id": ["orders:write"],
    "GET /files/:path+": ["orders:read"],
    "GET /public/*": "public",
  },
  fields: {},
};

/** Compares decisions on a plain route and on a pattern, then the same through nginx. */
export async function benchGateway(print: (line: string) => void): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-bench-" });
  try {
    await Deno.writeTextFile(`${folder}/shop.json`, JSON.stringify(POLICY));
    await using gateway = await startGateway(folder);
    const token = await mint(`${folder}/data`, "orders:read");
    for (
      const [name, target] of [
        ["a plain route", "/orders/17"],
        ["a pattern", "/files/a/b.txt"],
      ] as const
    ) {
      await compare(print, { name: `decisions on ${name}`, gateway, token, target });
    }
    await compareNginx(print, { folder, gateway: gateway.port, token });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function startGateway(folder: string): Promise<Listening> {
  const port = freePort();
  const env = {
    RECTO_DATA_DIR: `${folder}/data`,
    RECTO_GATEWAY_PORT: `${port}`,
    RECTO_GATEWAY_POLICIES: `*=${folder}/shop.json`,
  };
  await Deno.mkdir(`${folder}/data`);
  const args = ["run", "--no-prompt", "--allow-net", "--allow-env"];
  const access = [`--allow-read=${folder},src`, `--allow-write=${folder}`];
  const running = await startProcess([...args, ...access, "src/cli/gateway.ts"], {
    port,
    env,
    ready: listening,
  });
  return { port, ...running };
}

type Listening = RunningProcess & { readonly port: number };

interface Comparison {
  readonly name: string;
  readonly gateway: Listening;
  readonly token: string;
  readonly target: string;
}

function headersFor(
  { token, target }: Pick<Comparison, "token" | "target">,
): Record<string, string> {
  return {
    "authorization": `Bearer ${token}`,
    "x-original-method": "GET",
    "x-original-url": `https://shop.test${target}`,
  };
}

async function compare(print: (line: string) => void, comparison: Comparison): Promise<void> {
  const { name, gateway } = comparison;
  const headers = headersFor(comparison);
  const url = `${baseUrl(gateway.port)}/auth/nginx`;
  const sample = await fetch(url, { headers });
  await sample.body?.cancel();
  if (sample.status !== 200) throw new Error(`The gateway answers ${sample.status}`);
  const sent = [...sample.headers].filter(([field]) => !TRANSPORT.has(field));
  const answer = { body: null, headers: sent };
  await using bare = await startBare(answer);
  await using reading = await startBare({ ...answer, isReading: true });
  await using least = await startBare({ body: null, headers: [] });
  const fields = Object.entries(headers).map(([field, value]) => `${field}: ${value}`);
  const loads = await loadInTurns({
    ours: { url, pid: gateway.pid },
    bare: sideOf(bare),
    reading: sideOf(reading),
    least: sideOf(least),
  }, fields);
  const value = ratioOf(loads);
  print(report(name, { value, unit: "of the bare server", aim: `>= ${AIM}`, met: value >= AIM }));
  const { ours } = loads;
  print(`     ours ${loadText(ours)}`);
  for (
    const [beside, { rate, cost }] of [
      ["bare with the same headers", loads.bare],
      ["one that reads those of the request as well", loads.reading],
      ["one without headers", loads.least],
    ] as const
  ) {
    print(
      `     ${beside} ${loadText({ rate, cost })}: ${
        (ours.rate / rate).toFixed(2)
      } by the rates, ` +
        `${(cost / ours.cost).toFixed(2)} by processor time`,
    );
  }
}

/** A server, and the process whose time is measured. */
interface Side {
  readonly url: string;
  readonly pid: number;
}

function sideOf({ port, pid }: Listening): Side {
  return { url: baseUrl(port), pid };
}

/** Medians of a side. */
interface Load {
  /** Requests per second. */
  readonly rate: number;
  /** Microseconds of processor time for each. */
  readonly cost: number;
  readonly rates: readonly number[];
}

function loadText({ rate, cost }: Pick<Load, "rate" | "cost">): string {
  return `${rate.toFixed(0)}/s, ${cost.toFixed(1)} µs of processor time each`;
}

/** Returns the median of ours divided by bare of the same round: rounds differ more than turns. */
function ratioOf({ ours, bare }: Readonly<Record<"ours" | "bare", Load>>): number {
  return median(ours.rates.map((rate, round) => rate / (bare.rates[round] ?? NaN)));
}

async function loadInTurns<T extends string>(
  sides: Readonly<Record<T, Side>>,
  fields: readonly string[],
): Promise<Record<T, Load>> {
  const measured = Object.entries<Side>(sides)
    .map(([name, side]) => ({ name, ...side, rates: [] as number[], costs: [] as number[] }));
  // Two warm-up rounds: code that is not yet compiled is slower.
  for (let round = -2; round < ROUNDS; round++) {
    for (const { url, pid, rates, costs } of measured) {
      const before = await processorTime(pid);
      const rate = await load(url, fields);
      const cost = (await processorTime(pid) - before) / (rate * SECONDS);
      if (round < 0) continue;
      rates.push(rate);
      costs.push(cost);
    }
  }
  const loads: [string, Load][] = measured.map((
    { name, rates, costs },
  ) => [name, { rate: median(rates), cost: median(costs), rates }]);
  // Sound because there is an entry for each name.
  return Object.fromEntries(loads) as Record<T, Load>;
}

/** nginx before a file: with nothing to ask, with a bare server to ask, and with the gateway. */
async function compareNginx(
  print: (line: string) => void,
  { folder, gateway, token }: {
    readonly folder: string;
    readonly gateway: number;
    readonly token: string;
  },
): Promise<void> {
  await using bare = await startBare({ body: null, headers: [] });
  await Deno.mkdir(`${folder}/www/orders`, { recursive: true });
  await Deno.writeTextFile(`${folder}/www/orders/17`, "An order");
  const ports = { open: freePort(), bare: freePort(), gateway: freePort() };
  const conf = `${folder}/bench.conf`;
  await Deno.writeTextFile(
    conf,
    nginxSettings(folder, { ports, asked: { bare: bare.port, gateway } }),
  );
  const args = ["-p", folder, "-c", conf];
  await using nginx = await startCommand("nginx", args, { port: ports.open, ready: listening });
  const at = (port: number): Side => ({ url: `${baseUrl(port)}/orders/17`, pid: nginx.pid });
  const loads = await loadInTurns(
    { open: at(ports.open), bare: at(ports.bare), ours: at(ports.gateway) },
    [`authorization: Bearer ${token}`],
  );
  const value = ratioOf(loads);
  print(
    report("requests through nginx that asks the gateway", {
      value,
      unit: "of nginx that asks a bare server",
      aim: `>= ${AIM}`,
      met: value >= AIM,
    }),
  );
  print(
    `     ours ${loads.ours.rate.toFixed(0)}/s, asking a bare server ` +
      `${loads.bare.rate.toFixed(0)}/s, asking nobody ${loads.open.rate.toFixed(0)}/s`,
  );
}

interface NginxPorts {
  readonly ports: Readonly<Record<"open" | "bare" | "gateway", number>>;
  readonly asked: Readonly<Record<"bare" | "gateway", number>>;
}

function nginxSettings(folder: string, { ports, asked }: NginxPorts): string {
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
  const asking = (name: "bare" | "gateway") => `
  upstream ask_${name} { server 127.0.0.1:${asked[name]}; keepalive 32; }
  server {
    listen 127.0.0.1:${ports[name]};
    location / { auth_request /_ask; root ${folder}/www; }
    location = /_ask {
      internal;
      proxy_pass http://ask_${name}/auth/nginx;
      proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_pass_request_body off; proxy_set_header Content-Length "";
      proxy_set_header X-Original-Method $request_method;
      proxy_set_header X-Original-URL $scheme://$host$request_uri;
    }
  }`;
  // A worker of another user could not read the folder.
  return `user root; daemon off; worker_processes 1; pid ${folder}/bench.pid; error_log stderr crit;
events { worker_connections 768; }
http {
  access_log off; ${paths} keepalive_requests 1000000;
  server {
    listen 127.0.0.1:${ports.open};
    location / { root ${folder}/www; }
  }${asking("bare")}${asking("gateway")}
}
`;
}
