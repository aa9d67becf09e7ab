/**
 * The reference: a bare `Deno.serve` that sends one answer, given on the command line as JSON.
 *
 * @module
 */
const [port = "0", answer = "{}"] = Deno.args;
const { body, headers } = JSON.parse(answer);
const init = { headers };

Deno.serve(
  { hostname: "127.0.0.1", port: Number(port), onListen: () => {}, automaticCompression: false },
  (_request) => new Response(body, init),
);
