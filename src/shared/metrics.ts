/**
 * Metrics: every part of the service registers what it measures, and one request reads all of it.
 *
 * @module
 */

export type Labels = Readonly<Record<string, string>>;

/** A value under its labels; in a histogram also which of its series the value belongs to. */
export type Sample = readonly [
  labels: Labels,
  value: number,
  series?: "_bucket" | "_sum" | "_count",
];

export interface MetricDescription {
  /** By the conventions of Prometheus: base units, and `_total` at the end of a counter. */
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /**
   * How the values of several processes become one: their sum (default), the largest, or that of the
   * primary, which then is the only one that reads it.
   */
  readonly combine?: "sum" | "max" | "primary";
}

/** A metric with its values at one moment. It can be sent as JSON. */
export interface Metric extends MetricDescription {
  readonly samples: readonly Sample[];
}

/** A metric that reads its values when it is asked. No samples: it is left out. */
export interface MetricSource extends MetricDescription {
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

export interface Metrics {
  /** Adds metrics. Throws if there is one of the same name. */
  register(...sources: readonly MetricSource[]): void;
  /**
   * Reads all metrics, in the order of their registration; those of the primary only if `isPrimary`.
   * Never rejects: a metric that fails or takes longer than a second is left out and counted.
   */
  read(isPrimary: boolean): Promise<Metric[]>;
}

/** Milliseconds in which a metric must be read, so that an outage of its source hides no other one. */
const READ_TIME = 1_000;

/** Creates an empty registry. */
export function createMetrics(): Metrics {
  const sources = new Map<string, MetricSource>();
  let failures = 0;
  const readOne = async ({ read, ...metric }: MetricSource): Promise<Metric> => {
    try {
      return { ...metric, samples: await inTime(read) };
    } catch {
      failures++;
      return { ...metric, samples: [] };
    }
  };
  return {
    register(...added) {
      for (const source of added) {
        if (sources.has(source.name)) throw new Error(`Metric registered twice: ${source.name}`);
        sources.set(source.name, source);
      }
    },
    read: async (isPrimary) => {
      const read = [...sources.values()].filter(({ combine }) =>
        isPrimary || combine !== "primary"
      );
      return [...await Promise.all(read.map(readOne)), failureMetric(failures)];
    },
  };
}

async function inTime(read: MetricSource["read"]): Promise<readonly Sample[]> {
  const samples = read();
  if (!(samples instanceof Promise)) return samples;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("Reading takes too long")), READ_TIME);
  try {
    return await Promise.race([samples, late]);
  } finally {
    clearTimeout(timer);
  }
}

function failureMetric(failures: number): Metric {
  return {
    name: "recto_metric_failures_total",
    type: "counter",
    help: "Metrics that could not be read and are missing from a reply of /metrics.",
    samples: [[{}, failures]],
  };
}

/**
 * Returns the metrics of the primary and of the other processes as one, in steps: they have thousands of
 * samples.
 */
export function* combineMetrics(
  own: readonly Metric[],
  others: readonly (readonly Metric[])[],
): Generator<void, Metric[]> {
  const theirs = Map.groupBy(others.flat(), ({ name }) => name);
  const combined: Metric[] = [];
  for (const metric of own) {
    const same = metric.combine === "primary" ? [] : theirs.get(metric.name) ?? [];
    const samples = same.length === 0 ? metric.samples : yield* combineSamples(metric, same);
    combined.push({ ...metric, samples });
  }
  return combined;
}

function* combineSamples(own: Metric, others: readonly Metric[]): Generator<void, Sample[]> {
  const combine = own.combine === "max" ? Math.max : (a: number, b: number) => a + b;
  const combined = new Map<string, Sample>();
  for (const [labels, value, series] of [own, ...others].flatMap(({ samples }) => samples)) {
    const key = `${series ?? ""}${labelsText(labels)}`;
    const before = combined.get(key);
    const sum = before === undefined ? value : combine(before[1], value);
    combined.set(key, series === undefined ? [labels, sum] : [labels, sum, series]);
    yield;
  }
  return [...combined.values()];
}

/** Returns metrics in the text format of Prometheus, version 0.0.4; in steps. */
export function* metricsText(metrics: readonly Metric[]): Generator<void, string> {
  let text = "";
  for (const { name, type, help, samples } of metrics) {
    if (samples.length === 0) continue;
    text += `# HELP ${name} ${escape(help)}\n# TYPE ${name} ${type}\n`;
    for (const [labels, value, series = ""] of samples) {
      text += `${name}${series}${labelsText(labels)} ${value}\n`;
      yield;
    }
  }
  return text;
}

function labelsText(labels: Labels): string {
  let pairs = "";
  for (const [name, value] of Object.entries(labels)) {
    pairs += `${pairs === "" ? "" : ","}${name}="${escape(value).replaceAll('"', '\\"')}"`;
  }
  return pairs === "" ? "" : `{${pairs}}`;
}

function escape(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
