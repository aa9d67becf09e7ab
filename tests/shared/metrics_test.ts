import {
  combineMetrics,
  createMetrics,
  type Metric,
  type MetricDescription,
  metricsText,
} from "../../src/shared/metrics.ts";
import { createHistogram } from "../../src/shared/histogram.ts";
import { assertEquals, assertThrows } from "../assert.ts";
import fc from "fast-check";
import { atOnce } from "../../src/shared/yield_to_event_loop.ts";

const textOf = (metrics: readonly Metric[]) => atOnce(metricsText(metrics));
const combined = (...processes: Parameters<typeof combineMetrics>) =>
  atOnce(combineMetrics(...processes));

function gauge(name: string, combine?: MetricDescription["combine"]): MetricDescription {
  return { name, type: "gauge", help: "Help.", ...(combine && { combine }) };
}

Deno.test("a registered metric is read each time that metrics are", async () => {
  const metrics = createMetrics();
  let value = 0;
  metrics.register({ ...gauge("recto_sizes"), read: () => [[{ kind: "a" }, ++value]] });
  await metrics.read(true);
  assertEquals(
    textOf((await metrics.read(true)).slice(0, 1)),
    '# HELP recto_sizes Help.\n# TYPE recto_sizes gauge\nrecto_sizes{kind="a"} 2\n',
  );
});

Deno.test("two metrics cannot have the same name", () => {
  const metrics = createMetrics();
  const source = { ...gauge("recto_sizes"), read: () => [] };
  metrics.register(source);
  assertThrows(() => metrics.register(source), Error, "recto_sizes");
});

Deno.test("a metric that fails or hangs is left out, counted, and hides no other", async () => {
  const metrics = createMetrics();
  metrics.register(
    {
      ...gauge("recto_failing"),
      read: () => {
        throw new Error("No database");
      },
    },
    { ...gauge("recto_rejecting"), read: () => Promise.reject(new Error("No database")) },
    { ...gauge("recto_hanging"), read: () => new Promise(() => {}) },
    { ...gauge("recto_fine"), read: () => Promise.resolve([[{}, 1]]) },
  );
  const failures = async () =>
    textOf(await metrics.read(true)).split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
  assertEquals(await failures(), ["recto_fine 1", "recto_metric_failures_total 3"]);
});

Deno.test("a process that is not the primary does not read what the primary alone reads", async () => {
  const metrics = createMetrics();
  metrics.register({ ...gauge("recto_once", "primary"), read: () => [[{}, 1]] });
  const names = async (isPrimary: boolean) =>
    (await metrics.read(isPrimary)).map(({ name }) => name);
  assertEquals(await names(true), ["recto_once", "recto_metric_failures_total"]);
  assertEquals(await names(false), ["recto_metric_failures_total"]);
});

Deno.test("of several processes, metrics are sums, the largest, or those of the primary", () => {
  const of = (combine: MetricDescription["combine"], value: number): Metric => ({
    ...gauge(`recto_${combine}`, combine),
    samples: [[{}, value]],
  });
  const process = (value: number) => [of("sum", value), of("max", value), of("primary", value)];
  assertEquals(
    combined(process(2), [process(5), process(1)]).map(({ samples }) => samples),
    [[[{}, 8]], [[{}, 5]], [[{}, 2]]],
  );
});

Deno.test("the histogram of all processes is that of all durations", () => {
  const histogramOf = (durations: readonly number[]): Metric => {
    const histogram = createHistogram();
    durations.forEach(histogram.observe);
    return { ...gauge("recto_seconds"), type: "histogram", samples: histogram.samples() };
  };
  // Eighths of a second, whose sums are exact in any order.
  const duration = fc.nat({ max: 480 }).map((eighths) => eighths * 125);
  fc.assert(
    fc.property(
      fc.array(fc.array(duration), { minLength: 1, maxLength: 4 }),
      (processes) => {
        const [own, ...others] = processes.map(histogramOf);
        const sum = combined(own ? [own] : [], others.map((one) => [one]));
        assertEquals(textOf(sum), textOf([histogramOf(processes.flat())]));
      },
    ),
  );
});

Deno.test("a histogram counts each duration in every bucket at or above it, in seconds", () => {
  const { observe, samples } = createHistogram([0.1, 1]);
  [50, 100, 101, 1_000, 70_000].forEach(observe);
  assertEquals(samples({ route: "/" }), [
    [{ route: "/", le: "0.1" }, 2, "_bucket"],
    [{ route: "/", le: "1" }, 4, "_bucket"],
    [{ route: "/", le: "+Inf" }, 5, "_bucket"],
    [{ route: "/" }, 71.251, "_sum"],
    [{ route: "/" }, 5, "_count"],
  ]);
});

Deno.test("labels and help are escaped as Prometheus reads them", () => {
  const metric: Metric = {
    name: "recto_info",
    type: "gauge",
    help: "One\nback\\slash",
    samples: [[{ text: 'a"b\\c\nd' }, 1]],
  };
  assertEquals(
    textOf([metric]),
    "# HELP recto_info One\\nback\\\\slash\n# TYPE recto_info gauge\n" +
      'recto_info{text="a\\"b\\\\c\\nd"} 1\n',
  );
});
