/**
 * Prints changes for a terminal.
 *
 * @module
 */
import type { Change } from "./documents.ts";

/** Styles a piece of text. Returns it unchanged if colours are off. */
export type Paint = (style: "error" | "good" | "bold", text: string) => string;

/** Returns the changes grouped by schema or operation. `!` marks those that break clients. */
export function changesToText(changes: readonly Change[], paint: Paint): string {
  const lines = [
    sumUp(changes, paint),
    ...groupsOf(changes).flatMap(({ heading, findings }) => [
      "",
      paint("bold", heading),
      ...findings.map((change) => `${markOf(change, paint)} ${inWords(change)}`),
    ]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function sumUp(changes: readonly Change[], paint: Paint): string {
  const breaking = changes.filter(({ isBreaking }) => isBreaking).length;
  const others = changes.length - breaking;
  if (changes.length === 0) return paint("good", "Nothing that a client would notice");
  if (breaking === 0) return paint("good", `Breaks no client: ${count(others, "change")}`);
  const besides = others === 0 ? "" : `, ${others} more that ${others === 1 ? "does" : "do"} not`;
  return paint("error", `Breaks clients: ${count(breaking, "change")}${besides}`);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function markOf({ isBreaking }: Change, paint: Paint): string {
  return isBreaking ? `  ${paint("error", "!")}` : "   ";
}

function inWords({ place, detail }: Change): string {
  return place === "" ? detail : `${place}: ${detail}`;
}

interface Group {
  readonly heading: string;
  readonly findings: readonly Change[];
}

/** Groups changes, and merges groups that are alike. */
function groupsOf(changes: readonly Change[]): Group[] {
  const subjects = Map.groupBy(
    changes,
    ({ schema, side, routes }) => JSON.stringify([schema, side, routes]),
  );
  const alike = Map.groupBy(
    subjects.values(),
    (findings) =>
      JSON.stringify(findings.map(({ schema, ...change }) => [schema === undefined, change])),
  );
  return [...alike.values()].map((subjects) => {
    const findings = subjects[0] ?? [];
    const schemas = subjects.flatMap(([first]) => first?.schema ?? []);
    return { heading: headingOf(findings[0], schemas), findings };
  });
}

function headingOf(change: Change | undefined, schemas: readonly string[]): string {
  const routes = few(change?.routes ?? []);
  if (schemas.length === 0) return routes;
  return `${few(schemas)}, ${change?.side === "request" ? "sent to" : "returned by"} ${routes}`;
}

const FEW = 3;

function few(names: readonly string[]): string {
  if (names.length <= FEW) return names.join(", ");
  return `${names.slice(0, FEW - 1).join(", ")} and ${names.length - FEW + 1} more`;
}
