/**
 * The files for Prometheus and Grafana, checked by `promtool` and by the metrics that exist.
 *
 * @module
 */
import { parse as parseYaml } from "@std/yaml/parse";
import { backupMetrics } from "../../src/health/backup_status.ts";
import { createStoreMetrics, storeSources } from "../../src/store/store_metrics.ts";
import { NEW_PAGE } from "../security/support.ts";
import { withApp } from "../support/app.ts";
import { withFolder } from "../support/folders.ts";
import { assert, assertEquals } from "../assert.ts";
import { ALERT_CASES, type AlertCase, type Series } from "./alert_cases.ts";

const RULES = "deploy/prometheus/alerts.yml";
const DASHBOARD = "deploy/grafana/recto.json";
const MONITORING = "docs/monitoring.md";

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

async function readAlerts(): Promise<readonly Alert[]> {
  // Sound because promtool checks the form of the file.
  const rules = parseYaml(await Deno.readTextFile(RULES)) as {
    readonly groups: readonly { readonly rules: readonly Alert[] }[];
  };
  return rules.groups.flatMap((group) => group.rules);
}

/** Runs `promtool` and returns what it says; fails if it does. */
async function promtool(args: readonly string[], input = ""): Promise<string> {
  const child = new Deno.Command("promtool", {
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const text = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
  assertEquals(code, 0, text);
  return text;
}

/** Returns `/metrics` after requests of several kinds. */
async function scrape(): Promise<string> {
  let text = "";
  await withApp(async ({ call }) => {
    const { json: { id } } = await call("POST /v2/pages", { body: NEW_PAGE });
    await call(`GET /v2/pages/${id}`);
    await Promise.all([1, 2].map(() => call("POST /v2/pages", { body: NEW_PAGE })));
    await call("GET /nowhere", { token: null });
    await new Promise((resolve) => setTimeout(resolve, 250));
    text = (await call("GET /metrics", { token: null })).text;
  });
  return text;
}

Deno.test("promtool finds nothing to improve in the metrics", async () => {
  const text = await scrape();
  assert(text.includes("recto_event_loop_delay_seconds_bucket"));
  assertEquals(await promtool(["check", "metrics"], text), "");
});

Deno.test("promtool accepts the alert rules", async () => {
  const text = await promtool(["check", "rules", RULES]);
  assert(text.includes(`${Object.keys(ALERT_CASES).length} rules found`), text);
});

/** A test of `promtool`: an alert fires with these series, or nothing does. */
function ruleTest(alert: Alert, series: Series, { severity }: AlertCase, fires: boolean) {
  return {
    interval: "1m",
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [{
      eval_time: "90m",
      alertname: alert.alert,
      exp_alerts: !fires ? [] : [{
        exp_labels: { severity, instance: "a", ...more(series) },
        exp_annotations: alert.annotations,
      }],
    }],
  };
}

/** Labels of a rule that sums nothing. */
function more(series: Series): Readonly<Record<string, string>> {
  const isBacklog = Object.keys(series).some((name) => name.startsWith("recto_background_backlog"));
  return isBacklog ? { queue: "vectors" } : {};
}

Deno.test("each alert fires when it should, and not when all is well", () =>
  withFolder(async (folder) => {
    const alerts = await readAlerts();
    assertEquals(alerts.map(({ alert }) => alert).toSorted(), Object.keys(ALERT_CASES).toSorted());
    const tests = alerts.flatMap((alert) => {
      const one = ALERT_CASES[alert.alert];
      return one === undefined ? [] : [
        ruleTest(alert, one.fires, one, true),
        ruleTest(alert, one.calm, one, false),
      ];
    });
    const file = `${folder}/alerts_test.yml`;
    // JSON is YAML.
    const rule_files = [await Deno.realPath(RULES)];
    await Deno.writeTextFile(
      file,
      JSON.stringify({ rule_files, evaluation_interval: "1m", tests }),
    );
    await promtool(["test", "rules", file]);
  }));

/** Names of metrics in expressions. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/\b(?:recto|process)_[a-z_]+/g)].map(([name]) => name);
}

Deno.test("dashboard and alerts ask for metrics that exist, and the guide explains all of them", async () => {
  const scraped = [...(await scrape()).matchAll(/^# TYPE (\S+)/gm)].map(([, name = ""]) => name);
  const ofStore = storeSources(createStoreMetrics()).map(({ name }) => name);
  const ofBackups = backupMetrics(".").map(({ name }) => name);
  // These need a refused policy, or files that were counted.
  const sometimes = ["recto_policy_refused_info", "recto_files", "recto_files_bytes"];
  const existing = new Set([...scraped, ...ofStore, ...ofBackups, ...sometimes]);
  const { panels, annotations } = JSON.parse(await Deno.readTextFile(DASHBOARD));
  const expressions = JSON.stringify([panels, annotations.list]).match(/"expr":"(?:[^"\\]|\\.)*"/g);
  assert((expressions ?? []).length > 20);
  const asked = [
    ...(expressions ?? []).flatMap(namesIn),
    ...(await readAlerts()).flatMap(({ expr }) => namesIn(expr)),
  ].map((name) => name.replace(/_(?:bucket|sum|count)$/, ""));
  assertEquals([...new Set(asked)].filter((name) => !existing.has(name)), []);
  const guide = await Deno.readTextFile(MONITORING);
  assertEquals([...existing].filter((name) => !guide.includes(`\`${name}\``)), []);
});

Deno.test("each alert says what is wrong and where the guide tells what to do", async () => {
  const guide = await Deno.readTextFile(MONITORING);
  for (const { alert, annotations: { summary, runbook }, labels } of await readAlerts()) {
    assert((summary ?? "").length > 10, alert);
    assertEquals(runbook, `${MONITORING}#${alert.toLowerCase()}`);
    assert(guide.includes(`\n### ${alert}\n`), `${MONITORING} has no ${alert}`);
    assert(["page", "ticket"].includes(labels.severity ?? ""), alert);
  }
});
