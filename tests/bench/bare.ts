/**
 * The reference: a bare `Deno.serve` that sends one response, defined by JSON on the command line,
 * optionally with the bytes of a file, after reading the request's header fields, or on a port that
 * other processes share.
 *
 * @module
 */
const [port = "0", answer = "{}"] = Deno.args;
const { body, file, headers, isReading, isShared = false } = JSON.parse(answer);
const init = { headers };
// Cloning a response with bytes is cheaper than creating one.
const kept = file === undefined ? undefined : new Response(await Deno.readFile(file), init);

Deno.serve(
  {
    hostname: "127.0.0.1",
    port: Number(port),
    reusePort: isShared,
    onListen: () => {},
    automaticCompression: false,
  },
  (request) => {
    if (isReading) request.headers.forEach(() => {});
    return kept?.clone() ?? new Response(body, init);
  },
);
