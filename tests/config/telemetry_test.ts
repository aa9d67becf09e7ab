import { ConfigError, readConfig } from "../../src/config/config.ts";
import { instanceVariables, telemetryVariables } from "../../src/config/telemetry.ts";
import { assertEquals, assertNotEquals, assertStringIncludes, assertThrows } from "../assert.ts";

type Environment = Readonly<Record<string, string>>;

const read = (environment: Environment) => readConfig((name) => environment[name]).telemetry;
const issues = (environment: Environment) =>
  assertThrows(() => read(environment), ConfigError).message;

const EXPORTED = { traces: true, ratio: 1, logs: true, interval: 60_000 };

/** Returns the settings of `recto serve` for the variables of its operator. */
function served(environment: Environment): Environment {
  return { ...environment, ...telemetryVariables((name) => environment[name]) };
}

Deno.test("nothing is exported unless OTEL_DENO is true", () => {
  assertEquals(read({}), undefined);
  assertEquals(read(served({ OTEL_DENO: "false" })), undefined);
  assertEquals(telemetryVariables(() => undefined), {});
  assertStringIncludes(issues({ OTEL_DENO: "1" }), 'OTEL_DENO must be true or false: "1"');
});

Deno.test("the service does not start where Deno's own spans, with URLs, would be exported", () => {
  const all = issues({ OTEL_DENO: "true", OTEL_DENO_CONSOLE: "replace" });
  assertStringIncludes(all, "OTEL_TRACES_SAMPLER must be parentbased_always_off");
  assertStringIncludes(all, "OTEL_PROPAGATORS must be none");
  const console = issues({ OTEL_DENO: "true", OTEL_DENO_TRACING: "false" });
  assertStringIncludes(console, "OTEL_DENO_CONSOLE must be replace or ignore");
});

Deno.test("recto serve sets what is safe, and leaves the rest to its operator", () => {
  assertEquals(read(served({ OTEL_DENO: "true" })), EXPORTED);
  const chosen = {
    OTEL_DENO: "true",
    OTEL_DENO_CONSOLE: "ignore",
    OTEL_SERVICE_NAME: "wiki",
    OTEL_TRACES_SAMPLER: "always_on",
    OTEL_TRACES_SAMPLER_ARG: "0.1",
  };
  assertEquals(read(served(chosen)), { ...EXPORTED, ratio: 0.1, logs: false });
  assertEquals(served(chosen).OTEL_SERVICE_NAME, "wiki");
  const metricsOnly = { OTEL_DENO: "true", OTEL_DENO_TRACING: "false" };
  assertEquals(read(served(metricsOnly)), { ...EXPORTED, traces: false });
  const wrong = issues(served({ OTEL_DENO: "true", OTEL_TRACES_SAMPLER_ARG: "2" }));
  assertStringIncludes(wrong, 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1: "2"');
});

Deno.test("each process of a service has a name of its own for what it exports", () => {
  const name = (environment: Environment) =>
    instanceVariables((one) => environment[one]).OTEL_RESOURCE_ATTRIBUTES;
  assertEquals(name({}), undefined);
  assertNotEquals(name({ OTEL_DENO: "true" }), name({ OTEL_DENO: "true" }));
  const given = { OTEL_DENO: "true", OTEL_RESOURCE_ATTRIBUTES: "a=b" };
  assertStringIncludes(name(given) ?? "", "a=b,service.instance.id=");
});
