/**
 * The reference: a bare `Deno.serve` that sends one answer, given on the command line as JSON, with
 * the bytes of a file where it names one.
 *
 * @module
 */
const [port = "0", answer = "{}"] = Deno.args;
const { body, file, headers } = JSON.parse(answer);
const init = { headers };
// Copying an answer of bytes is cheaper than making one.
const kept = file === undefined ? undefined : new Response(await Deno.readFile(file), init);

Deno.serve(
  { hostname: "127.0.0.1", port: Number(port), onListen: () => {}, automaticCompression: false },
  (_request) => kept?.clone() ?? new Response(body, init),
);
