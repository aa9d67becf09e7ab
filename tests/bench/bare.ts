/**
 * The reference: a bare `Deno.serve` that sends one answer, given on the command line as JSON, with
 * the bytes of a file where it names one, and with a look at the request's fields where it says so.
 *
 * @module
 */
const [port = "0", answer = "{}"] = Deno.args;
const { body, file, headers, isReading } = JSON.parse(answer);
const init = { headers };
// Copying an answer of bytes is cheaper than making one.
const kept = file === undefined ? undefined : new Response(await Deno.readFile(file), init);

Deno.serve(
  { hostname: "127.0.0.1", port: Number(port), onListen: () => {}, automaticCompression: false },
  (request) => {
    if (isReading) request.headers.forEach(() => {});
    return kept?.clone() ?? new Response(body, init);
  },
);
