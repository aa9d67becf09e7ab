/**
 * Ports for servers in processes of their own.
 *
 * @module
 */

const given = new Set<number>();

/** Returns a port of this machine that nothing listens on, each time another one. */
export function freePort(): number {
  for (;;) {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    // Of three in a row, the system gives two the same number about once in 2,500 times.
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}
