/**
 * Completes a review of a change with the rules, notes and clients that reports show.
 *
 * @module
 */
import { clientEffects } from "../../policy/analysis/client_effects.ts";
import type { Change } from "../../policy/analysis/diff.ts";
import type { GuardedPolicy } from "../../policy/analysis/guards.ts";
import { normalize, type NormalPolicy } from "../../policy/analysis/normal.ts";
import type { Review } from "../../policy/analysis/review.ts";
import { type Io, UsageError } from "../../policy/command.ts";
import { findRoutesShowing } from "../../policy/document.ts";
import { readDocument } from "../../policy/lint/files.ts";
import type { ChangeReport, RuleChange } from "../../policy/report/changes.ts";
import type { LoggedTraffic } from "./traffic_input.ts";

export interface ChangeReportOptions {
  readonly before: GuardedPolicy;
  readonly after: GuardedPolicy;
  readonly traffic: LoggedTraffic | undefined;
  /** Returns the routes whose responses can contain a field; undefined if nobody knows. */
  readonly routesShowing: (field: string) => ReadonlySet<string> | undefined;
  /** Report only what a token with these scopes gains and loses. */
  readonly token?: ReadonlySet<string> | undefined;
}

/** Returns the report. Guards and approvals are those of the whole change, also for one token. */
export function reportChange(review: Review, options: ChangeReportOptions): ChangeReport {
  const { traffic, routesShowing, token } = options;
  const [before, after] = [options.before.file, options.after.file];
  const changes = token === undefined ? review.changes : changesFor(token, review.changes, {
    before: normalize(before.policy),
    after: normalize(after.policy),
  });
  return {
    ...review,
    changes,
    notes: new Map([...before.notes, ...after.notes]),
    rules: rulesOf(changes, normalize(before.policy), normalize(after.policy)),
    clients: traffic && {
      stats: traffic.stats,
      effects: clientEffects({
        changes,
        routesShowing,
        tokens: traffic.tokens,
        before: before.policy,
        after: after.policy,
      }),
    },
  };
}

/** Returns a lookup of the routes that show a field, which knows none without a published document. */
export async function createPublishedFields(
  io: Io,
): Promise<(field: string) => ReadonlySet<string> | undefined> {
  const document = await findDocument(io);
  return (field) => document === undefined ? undefined : findRoutesShowing(field, document);
}

async function findDocument(io: Io): Promise<unknown> {
  try {
    return await readDocument(io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return undefined;
  }
}

/** The changes that a token notices, with the sets that it contains. */
function changesFor(
  token: ReadonlySet<string>,
  changes: readonly Change[],
  { before, after }: { readonly before: NormalPolicy; readonly after: NormalPolicy },
): Change[] {
  return changes.flatMap((change) => {
    const table = change.kind === "call" ? "routes" : "fields";
    const [old, fresh] = [before, after].map((policy) => allows(policy[table].get(change.name)));
    if (old === fresh) return [];
    const within = (sets: Change["gains"]) => sets.filter((set) => new Set(set).isSubsetOf(token));
    return [{
      ...change,
      gains: fresh === true ? within(change.gains) : [],
      losses: fresh === true ? [] : within(change.losses),
    }];

    function allows(formula: ReturnType<NormalPolicy["routes"]["get"]>): boolean {
      if (formula === undefined) return change.kind === "field";
      return formula.some((set) => set.isSubsetOf(token));
    }
  });
}

function rulesOf(
  changes: readonly Change[],
  before: NormalPolicy,
  after: NormalPolicy,
): Map<string, RuleChange> {
  return new Map(changes.map(({ kind, name }) => {
    const table = kind === "call" ? "routes" : "fields";
    const setsIn = (policy: NormalPolicy): string[][] | undefined =>
      policy[table].get(name)?.map((set) => [...set]);
    return [name, { before: setsIn(before), after: setsIn(after) }];
  }));
}
