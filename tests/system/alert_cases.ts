/**
 * Series under which each alert fires, and series under which it does not.
 *
 * @module
 */

/** Series in the notation of `promtool`: a value each minute, such as `0+1x60`. */
export type Series = Readonly<Record<string, string>>;

export interface AlertCase {
  readonly severity: "page" | "ticket";
  readonly fires: Series;
  readonly calm: Series;
}

const requests = (status: string) =>
  `recto_http_requests_total{instance="a",method="GET",route="/v2/search",status="${status}"}`;
const bucket = (metric: string, le: string, more = "") =>
  `${metric}_bucket{instance="a",le="${le}"${more}}`;
const duration = (le: string, route = "/v2/search") =>
  bucket("recto_http_request_duration_seconds", le, `,route="${route}"`);
const delay = (le: string) => bucket("recto_event_loop_delay_seconds", le);
const errors = (code: string) => `recto_http_errors_total{instance="a",code="${code}"}`;
const backup = (end: "success" | "failure") =>
  `recto_backup_last_${end}_timestamp_seconds{instance="a"}`;

/** All are looked at after 90 minutes. */
export const ALERT_CASES: Readonly<Record<string, AlertCase>> = {
  RectoDown: {
    severity: "page",
    fires: { 'up{instance="a",job="recto"}': "0x90" },
    calm: { 'up{instance="a",job="recto"}': "1x90", 'up{instance="a",job="other"}': "0x90" },
  },
  RectoRequestsFail: {
    severity: "page",
    fires: { [requests("200")]: "0+97x90", [requests("503")]: "0+3x90" },
    // What the client did wrong is no failure, and neither is an unsupported feature.
    calm: {
      [requests("200")]: "0+50x90",
      [requests("404")]: "0+40x90",
      [requests("501")]: "0+9x90",
    },
  },
  RectoRequestsSlow: {
    severity: "ticket",
    fires: {
      [duration("1")]: "0+90x90",
      [duration("2.5")]: "0+100x90",
      [duration("+Inf")]: "0+100x90",
    },
    calm: {
      [duration("1")]: "0+100x90",
      [duration("+Inf")]: "0+100x90",
      // An upload takes the time that it takes.
      [duration("1", "/files/:a")]: "0+0x90",
      [duration("+Inf", "/files/:a")]: "0+900x90",
    },
  },
  RectoEventLoopHeldUp: {
    severity: "ticket",
    fires: { [delay("0.1")]: "0+500x90", [delay("0.25")]: "0+600x90", [delay("+Inf")]: "0+600x90" },
    calm: { [delay("0.1")]: "0+598x90", [delay("0.25")]: "0+600x90", [delay("+Inf")]: "0+600x90" },
  },
  RectoDataDamaged: {
    severity: "page",
    fires: { 'recto_damaged_documents{instance="a"}': "1x90" },
    calm: { 'recto_damaged_documents{instance="a"}': "0x90" },
  },
  RectoBackupFailed: {
    severity: "ticket",
    // None has succeeded so far.
    fires: { [backup("failure")]: "5000x90" },
    calm: { [backup("failure")]: "1000x90", [backup("success")]: "5000x90" },
  },
  RectoBackupOld: {
    severity: "page",
    // The clock begins at 0.
    fires: { [backup("success")]: "-125000x90" },
    calm: { [backup("success")]: "-120000x90" },
  },
  RectoStorageRefusesWrites: {
    severity: "page",
    fires: { [errors("storage_full")]: "0+1x90" },
    calm: { [errors("storage_full")]: "0x90", [errors("object_not_found")]: "0+9x90" },
  },
  RectoCommitsFail: {
    severity: "page",
    fires: { 'recto_store_commits_total{instance="a",result="failed"}': "0+10x90" },
    calm: { 'recto_store_commits_total{instance="a",result="conflict"}': "0+60x90" },
  },
  RectoConnectionsExhausted: {
    severity: "ticket",
    fires: { 'recto_store_pool_waiting{instance="a"}': "3x90" },
    calm: { 'recto_store_pool_waiting{instance="a"}': "0 0 3 0 0 3 0x84" },
  },
  RectoRequestsRefused: {
    severity: "ticket",
    fires: {
      [requests("200")]: "0+90x90",
      [requests("429")]: "0+10x90",
      [errors("rate_limited")]: "0+10x90",
    },
    calm: {
      [requests("200")]: "0+99x90",
      [requests("429")]: "0+1x90",
      [errors("rate_limited")]: "0+1x90",
    },
  },
  RectoPolicyRefused: {
    severity: "ticket",
    fires: { 'recto_policy_refused_info{instance="a",digest="d"}': "1x90" },
    calm: { 'recto_policy_active_info{instance="a",digest="d"}': "1x90" },
  },
  RectoLogLinesDropped: {
    severity: "ticket",
    fires: { 'recto_log_lines_total{instance="a",result="dropped"}': "0+1x90" },
    calm: {
      'recto_log_lines_total{instance="a",result="dropped"}': "7x90",
      'recto_log_lines_total{instance="a",result="written"}': "0+999x90",
    },
  },
  RectoSearchBehind: {
    severity: "ticket",
    fires: { 'recto_background_backlog{instance="a",queue="vectors"}': "5000x90" },
    // It becomes shorter than a thousand from time to time.
    calm: { 'recto_background_backlog{instance="a",queue="vectors"}': "5000x60 200 5000x29" },
  },
  RectoMemoryHigh: {
    severity: "ticket",
    fires: {
      'process_resident_memory_bytes{instance="a"}': "2000000000x90",
      'recto_processes{instance="a"}': "1x90",
    },
    calm: {
      'process_resident_memory_bytes{instance="a"}': "2000000000x90",
      'recto_processes{instance="a"}': "4x90",
    },
  },
  RectoRestarts: {
    severity: "ticket",
    fires: { 'process_start_time_seconds{instance="a",job="recto"}': "0+60x90" },
    calm: { 'process_start_time_seconds{instance="a",job="recto"}': "5x70 9x19" },
  },
  RectoMetricsMissing: {
    severity: "ticket",
    fires: { 'recto_metric_failures_total{instance="a"}': "0+1x90" },
    calm: { 'recto_metric_failures_total{instance="a"}': "3x90" },
  },
};
