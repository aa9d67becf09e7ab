/**
 * Reads the decision logs that a command line names.
 *
 * @module
 */
import { type DecisionLogStats, readDecisions } from "../../policy/analysis/decisions.ts";
import { createTraffic, type TokenTraffic } from "../../policy/analysis/traffic.ts";
import { readLines } from "../../policy/lint/read_lines.ts";
import type { Options } from "./options.ts";

/** For the usage of commands. */
export const LOG_USAGE = "[--log LOG …]";

export interface LoggedTraffic {
  readonly tokens: readonly TokenTraffic[];
  readonly stats: DecisionLogStats;
}

/** Reads all logs of `--log`; undefined without one. Lines of later logs are numbered from one, too. */
export async function readTraffic({ lists }: Options): Promise<LoggedTraffic | undefined> {
  const logs = lists.get("log");
  if (logs === undefined) return undefined;
  const traffic = createTraffic();
  const stats: DecisionLogStats = { decisions: 0, unreadable: [] };
  for (const log of logs) {
    for await (const decision of readDecisions(readLines(log), stats)) traffic.add(decision);
  }
  return { tokens: traffic.tokens(), stats };
}
