import { telemetryVariables } from "../../src/config/telemetry.ts";
import { answering, baseUrl, mint, rectoArgs, rectoEnv } from "../bench/processes.ts";
import { ALL_SCOPES } from "../support/app.ts";
import { withFolder } from "../support/folders.ts";
import { freePort } from "../support/ports.ts";
import { assert, assertEquals } from "../assert.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

const SECRET = "5ec4e75ec4e7";
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const UNKNOWN = "0190c0de-0000-7000-8000-000000000000";

interface Served {
  readonly port: number;
  readonly folder: string;
  readonly receiver: Receiver;
  get(path: string, fields?: Readonly<Record<string, string>>, method?: string): Promise<number>;
}

/** Runs the service as `recto serve` does, with files on disk; returns the lines of its log. */
async function withExport(
  env: Readonly<Record<string, string>>,
  test: (served: Served) => Promise<void>,
): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  await withFolder(async (folder) => {
    await using receiver = startReceiver();
    const port = freePort();
    const given: Readonly<Record<string, string>> = { OTEL_DENO: "true", ...env };
    const child = new Deno.Command(Deno.execPath(), {
      args: rectoArgs(folder),
      env: {
        ...rectoEnv(port, folder),
        ...given,
        ...telemetryVariables((name) => given[name]),
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_METRIC_EXPORT_INTERVAL: "200",
        OTEL_BSP_SCHEDULE_DELAY: "50",
        OTEL_BLRP_SCHEDULE_DELAY: "50",
      },
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const output = new Response(child.stdout).text();
    try {
      await answering(port);
      const authorization = `Bearer ${await mint(folder, ALL_SCOPES)}`;
      const get = async (path: string, fields = {}, method = "GET") => {
        const response = await fetch(`${baseUrl(port)}${path}`, {
          method,
          headers: { authorization, ...fields },
        });
        await response.body?.cancel();
        return response.status;
      };
      await test({ port, folder, receiver, get });
    } finally {
      // Deno may hang at an orderly exit while it exports metrics.
      child.kill("SIGKILL");
      await child.status;
    }
    lines.push(...(await output).trimEnd().split("\n").map((line) => JSON.parse(line)));
  });
  return lines;
}

/** Waits until the receiver has something; fails after 20 s. */
async function received<T>(find: () => T | undefined, what: string): Promise<T> {
  for (const end = performance.now() + 20_000; performance.now() < end;) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Never received: ${what}`);
}

Deno.test("spans, lines and metrics name the route, and never a URL, a query or a token", async () => {
  const lines = await withExport({}, async ({ receiver, get }) => {
    const fields = { traceparent: `00-${TRACE}-${PARENT}-01` };
    assertEquals(await get(`/v2/pages/${UNKNOWN}?key=${SECRET}`, fields), 400);
    assertEquals(await get(`/files/a/b?signature=${SECRET}`), 404);
    assertEquals(await get(`/v2/pages/${UNKNOWN}`), 404);
    assertEquals(await get("/", {}, SECRET.toUpperCase()), 501);
    const span = await received(
      () => receiver.spans.find(({ traceId }) => traceId === TRACE),
      "the span",
    );
    assertEquals(span.name, "GET /v2/pages/:page_id");
    assertEquals(span.parentSpanId, PARENT);
    assertEquals(span.attributes["http.route"], "/v2/pages/:page_id");
    assertEquals(span.attributes["http.response.status_code"], 400);
    assertEquals(span.attributes["error.type"], "validation_error");
    const line = await received(
      () => receiver.lines.find(({ spanId }) => spanId === span.spanId),
      "the line inside the span",
    );
    assertEquals([line.traceId, line.severity], [TRACE, "INFO"]);
    assertEquals(JSON.parse(line.body).route, "/v2/pages/:page_id");
    await received(
      () => receiver.lines.find(({ body }) => body.includes('"message":"Ready"')),
      "a line outside of requests",
    );
    const isRoute = ({ attributes }: { attributes: Readonly<Record<string, unknown>> }) =>
      attributes["http.route"] === "/v2/pages/:page_id";
    await received(
      () =>
        receiver.points.find((one) => one.metric === "recto.http.request.duration" && isRoute(one)),
      "the duration by route",
    );
    await received(
      () => receiver.points.find(({ metric }) => metric === "recto_http_requests_total"),
      "the metrics of the registry",
    );
    await received(
      () =>
        receiver.spans.find(({ attributes }) => attributes["http.response.status_code"] === 404),
      "a span without a sender",
    );
    const unknown = await received(
      () =>
        receiver.spans.find(({ attributes }) => attributes["http.response.status_code"] === 501),
      "the span of an unknown method",
    );
    assertEquals([unknown.name, unknown.attributes["http.request.method"]], ["HTTP", "_OTHER"]);
    const all = receiver.texts.join("\n");
    assertEquals(/url\.(?:full|query|path)/.test(all), false);
    for (const secret of [SECRET, UNKNOWN, "Bearer", "eyJ"]) {
      assert(!all.includes(secret), `${secret} was exported`);
    }
  });
  const logged = lines.find(({ trace_id }) => trace_id === TRACE);
  assertEquals([logged?.route, logged?.status], ["/v2/pages/:page_id", 400]);
  assertEquals(new Set(lines.map((line) => JSON.stringify(line))).size, lines.length, "Each once");
});

Deno.test("a sender that does not sample is not traced, and a ratio of 0 traces nobody else", async () => {
  const lines = await withExport({ OTEL_TRACES_SAMPLER_ARG: "0" }, async ({ receiver, get }) => {
    await get("/v2/users/me", { traceparent: `00-${TRACE}-${PARENT}-00` });
    await get("/v2/users/me");
    await get("/v2/users/me", { traceparent: `00-${TRACE.replace("0a", "1a")}-${PARENT}-01` });
    await received(() => receiver.spans.at(0), "the span that its sender samples");
    assertEquals(receiver.spans.length, 1);
  });
  const traced = lines.filter(({ route }) => route === "/v2/users/:user_id")
    .map(({ trace_id }) => trace_id);
  assertEquals(traced, [undefined, undefined, TRACE.replace("0a", "1a")]);
});
