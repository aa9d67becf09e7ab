/**
 * `recto gateway`: decides for proxies whether requests to other services are allowed.
 *
 * @module
 */
import { startGateway } from "../app/gateway.ts";
import { runService } from "../app/run_service.ts";
import { conclude, failure } from "./result.ts";
import { runCommandLine } from "./options.ts";

const USAGE = `Usage: recto gateway

Answers a proxy in front of other services whether a request is allowed: nginx auth_request, Traefik
forwardAuth, Caddy forward_auth and Envoy ext_authz. RECTO_GATEWAY_POLICIES names the policies;
docs/gateway.md has the settings of each proxy. \`recto --help\` lists all variables.
`;

if (Deno.args.length === 0) {
  runService({ start: (streams) => startGateway((name) => Deno.env.get(name), streams) });
} else {
  const refuse = () => Promise.resolve(failure(2, USAGE));
  await conclude(await runCommandLine({ usage: USAGE, values: [] }, Deno.args, refuse));
}
