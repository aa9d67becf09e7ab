/**
 * Loads a server with `wrk`.
 *
 * @module
 */

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Connections at once. */
  readonly connections: number;
  readonly seconds: number;
  /** A script in Lua that makes the requests; default: `GET` of the URL. */
  readonly script?: string;
}

export interface Loaded {
  /** Responses a second. */
  readonly rate: number;
  /** Milliseconds within which 99 of 100 requests were answered. */
  readonly p99: number;
  /** Responses other than 2xx and 3xx, and broken connections. */
  readonly failures: number;
}

const UNITS: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1e3, m: 6e4 };

/** Sends as many requests as the server answers. */
export async function loadWith(
  { url, headers, connections, seconds, script }: Load,
): Promise<Loaded> {
  const file = script === undefined ? undefined : await Deno.makeTempFile({ suffix: ".lua" });
  if (file !== undefined) await Deno.writeTextFile(file, script ?? "");
  const fields = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const { stdout } = await new Deno.Command("wrk", {
    args: [
      ...["-t1", `-c${connections}`, `-d${seconds}s`, "--latency", "--timeout", "20s"],
      ...(file === undefined ? [] : ["-s", file]),
      ...fields,
      url,
    ],
  }).output();
  if (file !== undefined) await Deno.remove(file);
  const text = new TextDecoder().decode(stdout);
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(text)?.[1];
  if (rate === undefined) throw new Error(`wrk failed: ${text}`);
  const [, time = "NaN", unit = "ms"] = /99%\s+([\d.]+)(us|ms|s|m)\b/.exec(text) ?? [];
  const broken = /connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text)?.slice(1) ?? [];
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0);
  return {
    rate: Number(rate),
    p99: Number(time) * (UNITS[unit] ?? NaN),
    failures: broken.reduce((sum, one) => sum + Number(one), refused),
  };
}

export interface ScriptOptions {
  readonly ids?: readonly string[];
  /** Milliseconds that each connection waits before a request, on average. */
  readonly pause?: number;
}

/**
 * Returns a script that sends one kind of request after the other; `requests` are calls of
 * `wrk.format` in Lua, which may use the number `n` of the request and `ids`.
 */
export function requestScript(
  requests: readonly string[],
  { ids = [], pause }: ScriptOptions = {},
): string {
  return `
local ids = { ${ids.map((id) => `"${id}"`).join(", ")} }
local n = 0
${pause === undefined ? "" : `delay = function() return math.random(${2 * pause}) end`}
request = function()
  n = n + 1
  ${
    requests.map((one, index) => `if n % ${requests.length} == ${index} then return ${one} end`)
      .join("\n  ")
  }
end
`;
}
