/**
 * A receiver of OpenTelemetry (OTLP over HTTP, JSON). `GET` returns what it received.
 *
 * @module
 */

type Attributes = Readonly<Record<string, unknown>>;

export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly attributes: Attributes;
}

export interface ReceivedLine {
  readonly severity: string;
  readonly body: string;
  readonly traceId: string;
  readonly spanId: string;
}

export interface ReceivedPoint {
  readonly metric: string;
  readonly attributes: Attributes;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly lines: readonly ReceivedLine[];
  readonly points: readonly ReceivedPoint[];
  /** All that was received, as it came. */
  readonly texts: readonly string[];
}

// deno-lint-ignore no-explicit-any -- what another program sends; tests assert what they find
type Sent = any;

export function startReceiver(): Receiver {
  const spans: ReceivedSpan[] = [];
  const lines: ReceivedLine[] = [];
  const points: ReceivedPoint[] = [];
  const texts: string[] = [];
  const closing = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, signal: closing.signal, onListen: () => {} },
    async (request) => {
      if (request.method === "GET") return new Response(texts.join("\n"));
      const text = await request.text();
      texts.push(text);
      const sent = JSON.parse(text);
      for (const span of parts(sent, "resourceSpans", "scopeSpans", "spans")) {
        const { name, traceId, spanId, parentSpanId } = span;
        spans.push({ name, traceId, spanId, parentSpanId, attributes: attributesOf(span) });
      }
      for (const record of parts(sent, "resourceLogs", "scopeLogs", "logRecords")) {
        const { severityText: severity, traceId, spanId } = record;
        lines.push({ severity, body: record.body.stringValue, traceId, spanId });
      }
      for (const metric of parts(sent, "resourceMetrics", "scopeMetrics", "metrics")) {
        const { dataPoints } = metric.histogram ?? metric.sum ?? metric.gauge;
        for (const point of dataPoints) {
          points.push({ metric: metric.name, attributes: attributesOf(point) });
        }
      }
      return Response.json({});
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    spans,
    lines,
    points,
    texts,
    // Senders keep their connections open.
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await server.finished;
    },
  };
}

function parts(sent: Sent, ...[resource, scope, part]: [string, string, string]): Sent[] {
  return (sent[resource] ?? []).flatMap((one: Sent) => one[scope])
    .flatMap((one: Sent) => one[part]);
}

function attributesOf({ attributes }: Sent): Attributes {
  return Object.fromEntries(
    attributes.map(({ key, value }: Sent) => [key, Object.values(value)[0]]),
  );
}
