/**
 * Reports who must agree to a change.
 *
 * @module
 */
import type { ChangeReport } from "./changes.ts";
import { guardLine } from "./guards.ts";

/** Returns a CODEOWNERS file for the change: the owners of every effect that needs consent. */
export function ownersToText({ open, notes }: ChangeReport): string {
  const effects = open.changes.map(({ name, gains }) => ({
    name,
    owners: [name, ...gains.flat()].flatMap((one) => notes.get(one)?.owner ?? []),
  }));
  const lines = [
    ...effects.map(({ name, owners }) => `# ${name}: ${list(owners) || "no owner in its note"}`),
    ...open.guards.map((guard) => `# ${guardLine(guard)}: the owners of policy/`),
  ];
  const owners = list(effects.flatMap((effect) => effect.owners));
  if (owners !== "") lines.push(`/policy/ ${owners}`);
  return lines.map((line) => `${line}\n`).join("");
}

function list(owners: readonly string[]): string {
  return [...new Set(owners)].join(" ");
}
