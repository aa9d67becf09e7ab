/**
 * A change of policy as findings, for the formats that show them next to the lines of a file.
 *
 * @module
 */
import type { ApprovalState, Effects } from "../analysis/approval.ts";
import type { Change } from "../analysis/diff.ts";
import { type GuardChange, needsConsent } from "../analysis/guards.ts";
import {
  compareFindings,
  type Finding,
  type FindingDraft,
  type FindingKind,
  type Level,
  toFinding,
} from "../lint/finding.ts";
import type { Path, Source } from "../lint/source.ts";
import { type ChangeReport, tokenOf } from "./changes.ts";
import { effectsOfSet, nameClients } from "./clients.ts";
import { approvalLine, guardLine } from "./guards.ts";
import type { JunitCase } from "./junit.ts";

const GAINED = {
  code: "access-gained",
  summary: "Tokens gain a call or a field",
  section: "A change, step by step",
} as const;
const LOST = {
  code: "access-lost",
  summary: "Tokens lose a call or a field",
  section: "How to review a change",
} as const;
const GUARD = {
  code: "guard-lost",
  summary: "A statement, safe entry, case or approval is lost or weaker",
  section: "Guards",
} as const;
const APPROVAL = {
  code: "approval-unused",
  summary: "An approval has ended, is for another change, or approves too much",
  section: "A change, step by step",
} as const;

/** Every kind of finding of `diff`. */
export const CHANGE_KINDS: readonly FindingKind[] = [GAINED, LOST, GUARD, APPROVAL];

const APPROVE = "To approve it, run: deno task policy diff --format approval";

/**
 * Returns the findings of a change, at the lines of the new policy: errors need approval, warnings
 * do not. A rule or guard that is gone is reported where it was listed.
 */
export function changesToFindings(report: ChangeReport, source: Source): Finding[] {
  const { changes, guards, open } = report;
  const findings = [
    ...changes.flatMap((change) => changeFindings(change, { report, source })),
    ...guards.map((guard) => guardFinding(guard, { source, isOpen: open.guards.includes(guard) })),
  ].sort(compareFindings);
  return [...findings, ...report.approvals.flatMap((approval) => approvalFinding(approval))];
}

/**
 * Returns each effect as a test case, which fails unless it is approved; one that passes if there
 * is none.
 */
export function changesToJunitCases({ changes, guards, open }: ChangeReport): JunitCase[] {
  const cases = [
    ...changes.flatMap((change) => gainCases(change, open)),
    ...changes.flatMap((change) =>
      change.losses.map((set) => ({
        group: "loss",
        name: `${change.name}: ${tokenOf(change, set)}`,
        failure: undefined,
      }))
    ),
    ...guards.map((guard) => ({
      group: "guard",
      name: guardLine(guard),
      failure: open.guards.includes(guard) ? notApproved(guardLine(guard)) : undefined,
    })),
  ];
  if (cases.length > 0) return cases;
  return [{ group: "policy", name: "every call is decided as before", failure: undefined }];
}

function gainCases(change: Change, open: Effects): JunitCase[] {
  const openSets = openGains(change, open);
  return change.gains.map((set) => {
    const name = `${change.name}: ${tokenOf(change, set)}`;
    const failure = openSets.has(set.join(" ")) ? notApproved(name) : undefined;
    return { group: "gain", name, failure };
  });
}

function notApproved(text: string): JunitCase["failure"] {
  return { message: "Not approved", text: `${text}\n${APPROVE}` };
}

/** The gains of a change that no approval covers. */
function openGains({ kind, name }: Change, { changes }: Effects): ReadonlySet<string> {
  const own = changes.find((one) => one.kind === kind && one.name === name);
  return new Set(own?.gains.map((set) => set.join(" ")));
}

interface Place {
  readonly report: ChangeReport;
  readonly source: Source;
}

function changeFindings(change: Change, { report, source }: Place): Finding[] {
  const { kind, name, gains, losses } = change;
  const span = source.nameAt([kind === "call" ? "routes" : "fields", name]);
  const openSets = openGains(change, report.open);
  const toMessage = (effect: "gain" | "loss", set: readonly string[]): string => {
    const verb = effect === "gain" ? "gain" : "lose";
    const subject = set.length === 0 ? "All callers" : `Tokens with ${tokenOf(change, set)}`;
    return `${subject} ${verb} ${name}${clientWords(report, { name, effect, set })}`;
  };
  return [
    ...gains.map((set) => {
      const isOpen = openSets.has(set.join(" "));
      const draft = { span, message: toMessage("gain", set), ...(isOpen && { hint: APPROVE }) };
      return complete(draft, { kind: GAINED, level: isOpen ? "error" : "warning", source });
    }),
    ...losses.map((set) =>
      complete({ span, message: toMessage("loss", set) }, { kind: LOST, level: "warning", source })
    ),
  ];
}

function clientWords(
  { clients }: ChangeReport,
  set: Parameters<typeof effectsOfSet>[1],
): string {
  if (clients === undefined) return "";
  const effects = effectsOfSet(clients, set);
  return effects.length === 0 ? " (no client of the log)" : ` (${nameClients(effects)})`;
}

function guardFinding(
  guard: GuardChange,
  { source, isOpen }: { readonly source: Source; readonly isOpen: boolean },
): Finding {
  const line = guardLine(guard);
  const message = `${line[0]?.toUpperCase()}${line.slice(1)}`;
  const state = needsConsent(guard) && isOpen;
  const draft = { span: source.nameAt(pathOf(guard, source)), message };
  return complete(state ? { ...draft, hint: APPROVE } : draft, {
    kind: GUARD,
    level: state ? "error" : "warning",
    source,
  });
}

/** Returns the path of a guard, present or not. */
function pathOf(guard: GuardChange, source: Source): Path {
  if (guard.kind === "approval") return [];
  if (guard.kind === "safe") return ["safe", indexIn(source, "safe", (one) => one === guard.safe)];
  if (guard.kind === "case") {
    return "call" in guard.case ? ["routes", guard.case.call] : ["fields", guard.case.field];
  }
  const isNamed = (one: unknown): boolean =>
    typeof one === "object" && one !== null && "name" in one && one.name === guard.statement.name;
  return ["invariants", indexIn(source, "invariants", isNamed)];
}

function indexIn(
  { value }: Source,
  member: string,
  test: (value: unknown) => boolean,
): number {
  const list: unknown = new Map(Object.entries(Object(value))).get(member);
  return Array.isArray(list) ? list.findIndex(test) : -1;
}

function approvalFinding(approval: ApprovalState): Finding[] {
  const message = approvalLine(approval);
  if (message === undefined) return [];
  const source = { file: approval.file, lines: [] };
  const span = { line: 1, column: 1, length: 1 };
  return [complete({ span, message }, { kind: APPROVAL, level: "warning", source })];
}

function complete(
  draft: FindingDraft,
  { kind, level, source }: {
    readonly kind: FindingKind;
    readonly level: Level;
    readonly source: Pick<Source, "file" | "lines">;
  },
): Finding {
  return toFinding(draft, { code: kind.code, level, source });
}
