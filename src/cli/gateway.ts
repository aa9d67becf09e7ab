/**
 * `recto gateway`: decides for proxies whether requests to other services are allowed.
 *
 * @module
 */
import { startGateway } from "../app/gateway.ts";
import { runService } from "../app/run_service.ts";

const USAGE = `Usage: recto gateway

Answers a proxy in front of other services whether a request is allowed: nginx auth_request, Traefik
forwardAuth, Caddy forward_auth and Envoy ext_authz. RECTO_GATEWAY_POLICIES names the policies;
docs/gateway.md has the settings of each proxy. \`recto --help\` lists all variables.
`;

const [argument] = Deno.args;
if (argument === "--help" || argument === "-h") {
  await Deno.stdout.write(new TextEncoder().encode(USAGE));
} else if (argument !== undefined) {
  await Deno.stderr.write(new TextEncoder().encode(`Unexpected argument: ${argument}\n\n${USAGE}`));
  Deno.exitCode = 2;
} else {
  runService({ start: (streams) => startGateway((name) => Deno.env.get(name), streams) });
}
