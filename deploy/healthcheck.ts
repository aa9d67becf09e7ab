/**
 * Ends with 0 if the server in this container answers. It asks whether the process lives, not
 * whether it is ready: a container that is started again does not mend its database.
 *
 * @module
 */
const port = Deno.env.get("PORT") || "8000";

try {
  const signal = AbortSignal.timeout(4_000);
  const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`, { signal });
  Deno.exit(ok ? 0 : 1);
} catch {
  Deno.exit(1);
}
