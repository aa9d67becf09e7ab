/**
 * OpenTelemetry, as Deno has it built in: which of its settings are safe here.
 *
 * @module
 */
import type { Environment } from "./variables.ts";

export interface TelemetryConfig {
  /** True if spans are exported. */
  readonly traces: boolean;
  /** The part of requests that are traced if their sender does not say. */
  readonly ratio: number;
  /** True if lines of the log are exported. */
  readonly logs: boolean;
  /** Milliseconds between two exports of metrics. */
  readonly interval: number;
}

/** Deno's own spans hold whole URLs, so they are not sampled; ours have a sampled parent. */
const SAMPLER = "parentbased_always_off";
/** Otherwise Deno would sample its own span of a request whose sender asks for it. */
const PROPAGATORS = "none";
/** Default of OpenTelemetry. */
const INTERVAL = 60_000;

/**
 * Returns what is exported; undefined if nothing is. Adds an issue for each setting with which
 * secrets would be exported, or lines be written twice.
 */
export function telemetryOf(
  environment: Environment,
  issues: string[],
): TelemetryConfig | undefined {
  const text = (name: string) => environment(name)?.toLowerCase() ?? "";
  const enabled = text("OTEL_DENO");
  if (enabled === "" || enabled === "false" || enabled === "0") return undefined;
  if (enabled !== "true") issues.push(`OTEL_DENO must be true or false: "${enabled}"`);
  const traces = text("OTEL_DENO_TRACING") !== "false";
  if (traces) issues.push(...spanIssues(text));
  const logs = text("OTEL_DENO_CONSOLE");
  if (logs !== "replace" && logs !== "ignore") {
    issues.push(
      "OTEL_DENO_CONSOLE must be replace or ignore if OTEL_DENO is true; `recto serve` sets it",
    );
  }
  return {
    traces,
    ratio: ratioOf(text("OTEL_TRACES_SAMPLER_ARG"), issues),
    logs: logs === "replace",
    interval: Number(text("OTEL_METRIC_EXPORT_INTERVAL")) || INTERVAL,
  };
}

function spanIssues(text: (name: string) => string): string[] {
  return [["OTEL_TRACES_SAMPLER", SAMPLER] as const, ["OTEL_PROPAGATORS", PROPAGATORS] as const]
    .filter(([name, value]) => text(name) !== value)
    .map(([name, value]) =>
      `${name} must be ${value} if OTEL_DENO is true, or OTEL_DENO_TRACING be false: Deno's own ` +
      "spans would contain the signatures of file URLs. `recto serve` sets it"
    );
}

function ratioOf(text: string, issues: string[]): number {
  const ratio = text === "" ? 1 : Number(text);
  if (ratio >= 0 && ratio <= 1) return ratio;
  issues.push(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1: "${text}"`);
  return 1;
}

/** Returns the variables that a server needs besides those of its operator. */
export function telemetryVariables(environment: Environment): Record<string, string> {
  if (environment("OTEL_DENO")?.toLowerCase() !== "true") return {};
  return {
    OTEL_SERVICE_NAME: environment("OTEL_SERVICE_NAME") || "recto",
    OTEL_DENO_CONSOLE: environment("OTEL_DENO_CONSOLE") || "replace",
    OTEL_TRACES_SAMPLER: SAMPLER,
    OTEL_PROPAGATORS: PROPAGATORS,
  };
}

/** Returns the variables that tell one process of a service from the others. */
export function instanceVariables(environment: Environment): Record<string, string> {
  if (environment("OTEL_DENO")?.toLowerCase() !== "true") return {};
  const given = environment("OTEL_RESOURCE_ATTRIBUTES");
  const instance = `service.instance.id=${crypto.randomUUID()}`;
  return { OTEL_RESOURCE_ATTRIBUTES: given ? `${given},${instance}` : instance };
}
