/**
 * Random decision logs, and the commands that read them.
 *
 * @module
 */
import fc from "fast-check";
import type { Command } from "../../src/policy/command.ts";
import type { LoggedDecision } from "../../src/policy/analysis/decisions.ts";
import { openCommandContext } from "../../src/cli/policy.ts";
import { ROUTES, SCOPES } from "./small.ts";

/** Calls of few clients, whatever policy decided them. */
export const logs: fc.Arbitrary<LoggedDecision[]> = fc.array(fc.record({
  time: fc.constantFrom("2026-01-02T03:04:05.678Z", "2026-01-03T03:04:05.678Z"),
  route: fc.constantFrom(...ROUTES, "GET /v2/gone"),
  effect: fc.constantFrom("allow" as const, "deny" as const),
  subject: fc.constantFrom("1".repeat(16), "2".repeat(16), null),
  scopes: fc.subarray([...SCOPES, "unheard.of"]),
}));

export interface Ran {
  readonly code: number;
  readonly out: string;
}

/** Runs a command on a log of this text: the word `LOG` stands for its file. */
export async function runOnLog(
  command: Command,
  { args, text }: { readonly args: readonly string[]; readonly text: string },
): Promise<Ran> {
  const log = await Deno.makeTempFile({ prefix: "recto-" });
  await Deno.writeTextFile(log, text);
  let out = "";
  const print = (part: string) => void (out += part);
  const io = { ...openCommandContext(), out: print, err: print, color: false };
  const code = await command.run(args.map((word) => word === "LOG" ? log : word), io);
  await Deno.remove(log);
  return { code, out };
}

/** A line of a log. */
export function logLine(decision: Partial<LoggedDecision>): string {
  return `${
    JSON.stringify({
      time: "2026-01-02T03:04:05.678Z",
      route: "GET /v2/pages/:page_id",
      effect: "allow",
      missing: [],
      policy: "0".repeat(64),
      subject: "1".repeat(16),
      scopes: ["pages.read"],
      ...decision,
    })
  }\n`;
}
