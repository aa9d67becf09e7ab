/**
 * The results of commands.
 *
 * @module
 */

/** Output and exit code of a command: 0 success, 1 failure, 2 wrong usage, 3 damage found. */
export interface CommandResult {
  readonly code: 0 | 1 | 2 | 3;
  readonly stdout: string;
  readonly stderr: string;
}

/** Creates the result of a command that failed. */
export function failure(code: 1 | 2, stderr: string): CommandResult {
  return { code, stdout: "", stderr };
}

/** Prints a result and sets the exit code. */
export async function conclude({ code, stdout, stderr }: CommandResult): Promise<void> {
  const encoder = new TextEncoder();
  await Deno.stdout.write(encoder.encode(stdout));
  await Deno.stderr.write(encoder.encode(stderr));
  Deno.exitCode = code;
}
