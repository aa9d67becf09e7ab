/**
 * Exports requests, the log and metrics with Deno's OpenTelemetry. Nothing that is exported holds a URL:
 * a request is named by its route.
 *
 * @module
 */
import {
  context,
  type Counter,
  type Gauge,
  type Histogram,
  type Meter,
  metrics as meters,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from "@opentelemetry/api";
import type { LogLevel, RequestRecord, TraceIds } from "../shared/log.ts";
import type { Labels, Metric, Metrics } from "../shared/metrics.ts";

export interface Telemetry {
  /** Exports the span of a request that has ended, and logs the request inside it. */
  request(record: RequestRecord, log: (ids: TraceIds) => void): void;
  /** Exports the registered metrics from now on; the duration of requests is exported by itself. */
  exportMetrics(metrics: Metrics, isPrimary: boolean): void;
}

export interface TelemetryOptions {
  readonly version: string;
  readonly traces: boolean;
  /** The part of requests that are traced if their sender does not say. */
  readonly ratio: number;
  /** Milliseconds between two exports of metrics. */
  readonly interval: number;
}

const NAME = "recto";

export function createTelemetry({ version, traces, ratio, interval }: TelemetryOptions): Telemetry {
  const tracer = trace.getTracer(NAME, version);
  const meter = meters.getMeter(NAME, version);
  const durations: Histogram = meter.createHistogram("recto.http.request.duration", {
    unit: "s",
    description: "Time from the request's header to the response's header.",
  });

  function startSpan(record: RequestRecord): Span | undefined {
    const parent = traces ? sampledParent(record.traceparent, ratio) : undefined;
    if (parent === undefined) return undefined;
    return tracer.startSpan(
      nameOf(record),
      {
        kind: SpanKind.SERVER,
        startTime: Date.now() - record.duration,
        attributes: attributesOf(record),
      },
      trace.setSpanContext(ROOT_CONTEXT, parent),
    );
  }

  return {
    request: (record, log) => {
      durations.record(record.duration / 1_000, measuredAttributes(record));
      const span = startSpan(record);
      if (span === undefined) return log({});
      const { traceId, spanId } = span.spanContext();
      context.with(trace.setSpan(ROOT_CONTEXT, span), () => log({ traceId, spanId }));
      if (record.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
    exportMetrics: (registered, isPrimary) => {
      const record = createRecorder(meter);
      const timer = setInterval(async () => {
        for (const metric of await registered.read(isPrimary)) record(metric);
      }, interval);
      Deno.unrefTimer(timer);
    },
  };
}

/**
 * Creates the function that records the samples of a metric. They are pushed: Deno would ask for them at
 * its exit as well, and wait forever, because nothing can answer by then.
 */
function createRecorder(meter: Meter): (metric: Metric) => void {
  const gauges = new Map<string, Gauge>();
  const counters = new Map<string, Counter>();
  /** Counts by name and labels, as far as they are recorded. */
  const recorded = new Map<string, number>();

  function add({ name, help: description }: Metric, value: number, labels: Labels): void {
    const key = JSON.stringify([name, labels]);
    const before = recorded.get(key) ?? 0;
    recorded.set(key, value);
    counters.getOrInsertComputed(name, () => meter.createCounter(name, { description }))
      .add(value - before, { ...labels });
  }

  return (metric) => {
    const { name, type, help: description, samples } = metric;
    if (type === "histogram") return;
    for (const [labels, value] of samples) {
      if (type === "counter") add(metric, value, labels);
      else {
        gauges.getOrInsertComputed(name, () => meter.createGauge(name, { description }))
          .record(value, { ...labels });
      }
    }
  };
}

/** Exports lines of the log; Deno knows the span inside which they are written. */
export function exportLine(level: LogLevel, line: string): void {
  // With OTEL_DENO_CONSOLE=replace, Deno exports what is written here, and prints nothing.
  const { debug, info, warn, error } = globalThis.console;
  const write = { debug, info, warn, error, off: () => {} }[level];
  write(line.trimEnd());
}

/** A method may be any text, and names of spans are few. */
function nameOf({ method, route }: RequestRecord): string {
  const known = KNOWN_METHODS.has(method) ? method : "HTTP";
  return route === null ? known : `${known} ${route}`;
}

function measuredAttributes({ method, route, status }: RequestRecord): Record<string, string> {
  return {
    "http.request.method": KNOWN_METHODS.has(method) ? method : "_OTHER",
    "http.response.status_code": String(status),
    ...(route !== null && { "http.route": route }),
  };
}

const KNOWN_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

function attributesOf(record: RequestRecord): Record<string, string | number> {
  return {
    ...measuredAttributes(record),
    "http.response.status_code": record.status,
    "recto.request_id": record.requestId,
    ...(record.code !== null && { "error.type": record.code }),
    ...(record.decision !== null && { "recto.decision": record.decision }),
  };
}

/** `version-traceid-parentid-flags` of W3C Trace Context. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Returns the span that the request was sent in, if its sender samples it; otherwise Deno's own span for
 * a part of the requests. Deno's is never exported. Undefined: the request is not traced.
 */
function sampledParent(traceparent: string | undefined, ratio: number): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  if (traceId !== undefined && spanId !== undefined) {
    const isSampled = (parseInt(flags ?? "0", 16) & TraceFlags.SAMPLED) !== 0;
    return isSampled
      ? { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
      : undefined;
  }
  const own = trace.getActiveSpan()?.spanContext();
  if (own === undefined || Math.random() >= ratio) return undefined;
  return { ...own, traceFlags: TraceFlags.SAMPLED };
}
