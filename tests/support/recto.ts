/**
 * Runs `recto` as a shell does.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

/** Permissions of the launcher, as the tasks grant them. */
export const LAUNCHER = ["--allow-env", "--allow-read", "--allow-run"];

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface RectoOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory; by default that of the checkout. */
  readonly cwd?: string;
}

export interface RectoResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. */
export async function runRecto(
  args: readonly string[],
  { env = {}, cwd = ROOT }: RectoOptions = {},
): Promise<RectoResult> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", ...LAUNCHER, `${ROOT}src/cli/recto.ts`, ...args],
    env,
    cwd,
  });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
