/**
 * Starts Deno for one of several processes.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Message } from "../processes/link.ts";
import type { StartedProcess } from "../processes/members.ts";

export interface MemberProcessOptions {
  /** Path of Deno. */
  readonly deno: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Called with what the process prints. */
  readonly onOutput: (name: "stdout" | "stderr", output: AsyncIterable<Uint8Array>) => void;
  /** Called with the reason if the process could not be started. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Starts a process. Never throws: one that the system does not start, because it is out of memory or
 * file descriptors, has ended at once, and the parent tries again.
 */
export function startMemberProcess(options: MemberProcessOptions): StartedProcess {
  const { deno, args, env, onOutput } = options;
  try {
    // Both outputs are piped, because several writers of one pipe would mix lines.
    const child = spawn(deno, args, { stdio: ["ignore", "pipe", "pipe", "ipc"], env });
    const { pid, stdout, stderr } = child;
    if (pid === undefined) {
      return notStarted(once(child, "error").then(([error]) => error), options);
    }
    if (stdout !== null) onOutput("stdout", stdout);
    if (stderr !== null) onOutput("stderr", stderr);
    return toStartedProcess(child, pid);
  } catch (error) {
    return notStarted(Promise.resolve(error), options);
  }
}

function notStarted(
  reason: Promise<unknown>,
  { onFailure }: Pick<MemberProcessOptions, "onFailure">,
): StartedProcess {
  return {
    pid: 0,
    channel: { send: () => {}, receive: () => {} },
    ended: reason.then(onFailure).then(() => ({ code: 1, signal: null })),
    kill: () => {},
  };
}

function toStartedProcess(child: ChildProcess, pid: number): StartedProcess {
  // A message that does not arrive ends nothing: the process does, or has ended.
  child.on("error", () => {});
  return {
    pid,
    channel: {
      send: (message) => void child.send(message),
      // Sound because the process sends messages of this type alone.
      receive: (listener) => void child.on("message", (message) => listener(message as Message)),
    },
    ended: new Promise((resolve) => {
      child.on("exit", (code, signal) => resolve({ code, signal }));
    }),
    kill: () => void child.kill("SIGKILL"),
  };
}
