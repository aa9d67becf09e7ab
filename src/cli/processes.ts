/**
 * `processes.ts COUNT ARGUMENTS…`: serves from several processes, each of which is Deno with these
 * arguments. Its only permissions are to run Deno, and to read the environment that it passes on.
 *
 * @module
 */
import { instanceVariables } from "../config/telemetry.ts";
import { readVariables } from "../config/variables.ts";
import { createLineJoiner } from "../processes/line_joiner.ts";
import type { StartedProcess } from "../processes/members.ts";
import { startParent } from "../processes/parent.ts";
import { createLog } from "../shared/log.ts";
import { writeAll } from "../shared/write_all.ts";
import { startMemberProcess } from "./member_process.ts";

const [count = "", ...args] = Deno.args;

/** Read once: if the file is replaced, Deno would name the one that was deleted. */
const deno = Deno.execPath();

/** Milliseconds for whoever reads the output, before this process exits anyway. */
const LAST_OUTPUT_TIME = 1_000;

const rest = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const stdout = createLineJoiner((bytes) => writeAll(Deno.stdout, bytes));
const stderr = createLineJoiner((bytes) => writeAll(Deno.stderr, bytes));

const outputs: Promise<void>[] = [];

function startProcess(): StartedProcess {
  return startMemberProcess({
    deno,
    args,
    env: { ...Deno.env.toObject(), ...instanceVariables((name) => Deno.env.get(name)) },
    onOutput: (name, output) => void outputs.push({ stdout, stderr }[name].add(output)),
    onFailure: (error) => log.event("error", `A process cannot be started: ${error}`),
  });
}

const { settings } = readVariables((name) => Deno.env.get(name));
const encoder = new TextEncoder();
const log = createLog({
  level: settings.RECTO_LOG_LEVEL ?? "info",
  write: (text) => stdout.add(ReadableStream.from([encoder.encode(text)])),
  now: Date.now,
});
const parent = startParent({ processes: Number(count), startProcess, log });
for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, parent.stop);
Deno.addSignalListener("SIGHUP", parent.reload);
const code = await parent.ended;
await log.close();
await Promise.race([Promise.allSettled(outputs), rest(LAST_OUTPUT_TIME)]);
Deno.exit(code);
