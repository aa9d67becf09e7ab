/**
 * Ports for servers in processes of their own.
 *
 * @module
 */

/** Returns a port of this machine that nothing listens on. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
