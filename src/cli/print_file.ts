/**
 * Prints the file that it is called with, for the launcher, which may read no files itself.
 *
 * @module
 */
const [path = ""] = Deno.args;

try {
  Deno.stdout.writeSync(Deno.readFileSync(path));
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  Deno.stderr.writeSync(new TextEncoder().encode(reason));
  Deno.exit(1);
}
