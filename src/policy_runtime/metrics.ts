/**
 * Metrics of the policies, of the logs, and of damage that was found.
 *
 * @module
 */
import type { LineCounts } from "../shared/line_writer.ts";
import type { Metric, Sample } from "../shared/metrics.ts";
import type { ShadowPolicy } from "./shadow_policy.ts";
import type { PolicyStatus } from "./status.ts";

/** Counts that do not concern the policies. */
export interface ServiceCounts {
  readonly log: LineCounts;
  /** Undefined if there is no decision log. */
  readonly decisionLog: LineCounts | undefined;
  readonly damagedDocuments: number;
}

/** Returns the metrics of policies, logs and storage. */
export function statusMetrics(
  status: PolicyStatus,
  { log, decisionLog, damagedDocuments }: ServiceCounts,
): Metric[] {
  return [
    ...policyMetrics(status),
    ...logMetrics(log),
    ...storageMetrics(damagedDocuments),
    ...(status.candidate === undefined ? [] : candidateMetrics(status.candidate)),
    ...(decisionLog === undefined ? [] : decisionLogMetrics(decisionLog)),
  ];
}

function policyMetrics({ active, refused, reloads }: PolicyStatus): Metric[] {
  return [{
    name: "recto_policy_active_info",
    type: "gauge",
    help: "The active policy, by the digest of its normal form, and its OpenAPI document.",
    samples: [[{ ...active }, 1]],
  }, {
    name: "recto_policy_refused_info",
    type: "gauge",
    help: "Policy files that a reload rejected, by digest and by the SHA-256 of the files.",
    samples: refused === undefined ? [] : [[{
      digest: refused.digest ?? "",
      policy_file: refused.policyFile ?? "",
      document: refused.document ?? "",
    }, 1]],
  }, {
    name: "recto_policy_reloads_total",
    type: "counter",
    help: "Reloads of policy and document, by result.",
    samples: Object.entries(reloads).map(([result, count]) => [{ result }, count]),
  }];
}

function candidateMetrics(
  { digest, judged, differences, fieldDifferences }: ShadowPolicy,
): Metric[] {
  return [{
    name: "recto_policy_candidate_judged_total",
    type: "counter",
    help: "Calls that the candidate policy also decided.",
    samples: [[{ digest }, judged]],
  }, {
    name: "recto_policy_candidate_differs_total",
    type: "counter",
    help: "Calls that the candidate policy would decide differently, by its decision.",
    samples: [...differences].flatMap(([route, counts]): Sample[] =>
      Object.entries(counts).map(([would, count]) => [{ digest, route, would }, count])
    ),
  }, {
    name: "recto_policy_candidate_field_differs_total",
    type: "counter",
    help:
      "Allowed calls of tokens that would see a field differently, by the candidate's decision.",
    samples: [...fieldDifferences].flatMap(([field, counts]): Sample[] =>
      Object.entries(counts).map(([would, count]) => [{ digest, field, would }, count])
    ),
  }];
}

function logMetrics({ written, dropped }: LineCounts): Metric[] {
  return [{
    name: "recto_log_lines_total",
    type: "counter",
    help: "Lines of the log, written or dropped because their reader stalled.",
    samples: [[{ result: "written" }, written], [{ result: "dropped" }, dropped]],
  }];
}

function storageMetrics(damagedDocuments: number): Metric[] {
  return [{
    name: "recto_damaged_documents",
    type: "gauge",
    help: "Stored documents and files that do not match their checksums.",
    samples: [[{}, damagedDocuments]],
  }];
}

function decisionLogMetrics({ written, dropped }: LineCounts): Metric[] {
  return [{
    name: "recto_decision_log_lines_total",
    type: "counter",
    help: "Lines of the decision log, written or dropped.",
    samples: [[{ result: "written" }, written], [{ result: "dropped" }, dropped]],
  }];
}
