/**
 * The command `vacuum` in a process of its own, with the permissions that it needs and tests lack.
 *
 * @module
 */

/** Runs the command on a SQLite file, and returns its exit code. */
export async function vacuumApart(path: string): Promise<number> {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", "src/cli/vacuum.ts"],
    env: { DATABASE_URL: `sqlite:${path}` },
    stdout: "null",
    stderr: "inherit",
  }).output();
  return code;
}
