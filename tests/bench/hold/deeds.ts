/**
 * Requests that might block the service, in the order in which they are sent: reads, large
 * requests, then changes of a large database.
 *
 * @module
 */
import { changes } from "./changes.ts";
import { computing } from "./computed.ts";
import { largeAnswers } from "./large_answers.ts";
import { brought } from "./large_requests.ts";
import { longPages } from "./long_pages.ts";
import { longRows } from "./long_rows.ts";
import { queries, questions } from "./queries.ts";
import { shortInputs } from "./short_inputs.ts";
import type { Answered, Service } from "./service.ts";
import { wireVersions } from "./wire_versions.ts";

export interface Deed {
  readonly name: string;
  /** Number of rows or blocks it changes. */
  readonly rows?: number;
  run(): Promise<Pick<Answered, "status" | "size">>;
}

interface Group {
  /** Beginning of all names of its requests, and of no others. */
  readonly prefix?: string;
  /** Creates the content that the requests need, and returns the requests. */
  prepare(service: Service, rows: number): readonly Deed[] | Promise<readonly Deed[]>;
}

const GROUPS: readonly Group[] = [
  { prepare: questions },
  { prepare: queries },
  { prepare: computing },
  { prepare: largeAnswers },
  { prepare: brought },
  { prefix: "v1: ", prepare: wireVersions },
  { prefix: "long rows: ", prepare: longRows },
  { prefix: "short: ", prepare: shortInputs },
  { prepare: longPages },
  { prepare: changes },
];

/**
 * Creates the content that the requests need, and returns those whose name contains `only`. If it
 * begins like all names of a group, no other group is prepared, which takes minutes.
 */
export async function deeds(
  service: Service,
  rows: number,
  only: string,
): Promise<readonly Deed[]> {
  const named = GROUPS.filter(({ prefix }) => prefix !== undefined && only.startsWith(prefix));
  const prepared: Deed[] = [];
  for (const { prepare } of named.length > 0 ? named : GROUPS) {
    prepared.push(...await prepare(service, rows));
  }
  return prepared.filter(({ name }) => name.includes(only));
}
