/**
 * Settings of `recto gateway`, beside those of the service.
 *
 * @module
 */
import { type Config, ConfigError, type Environment, isLoopback, readConfig } from "./config.ts";
import { readVariables } from "./variables.ts";

export interface GatewayConfig extends Config {
  /** The hosts and paths to which policies apply: `HOST/PREFIX=FILE`. */
  readonly mounts: readonly string[];
}

/** A proxy on this machine is trusted by default, because only this machine reaches loopback. */
const LOOPBACK = ["127.0.0.0/8", "::1"];

/** Reads the settings of the gateway; throws `ConfigError` with all issues. */
export function readGatewayConfig(environment: Environment): GatewayConfig {
  const config = readConfig(environment);
  const { settings } = readVariables(environment);
  const host = settings.RECTO_GATEWAY_HOST ?? "127.0.0.1";
  const mounts = (settings.RECTO_GATEWAY_POLICIES ?? "").split(",").map((one) => one.trim())
    .filter((one) => one !== "");
  const issues = [
    ...(mounts.length === 0
      ? ["RECTO_GATEWAY_POLICIES must name a policy, such as *=orders/policy.json"]
      : []),
    ...exposureIssues(host, config, settings.RECTO_AUTH_LOCAL_ANYWHERE === "true"),
    ...(config.trustedProxies.length === 0 && !isLoopback(host)
      ? ["RECTO_TRUSTED_PROXIES must be set if RECTO_GATEWAY_HOST is no loopback address"]
      : []),
  ];
  if (issues.length > 0) throw new ConfigError(issues);
  return {
    ...config,
    host,
    port: settings.RECTO_GATEWAY_PORT ?? 8001,
    mounts,
    trustedProxies: config.trustedProxies.length === 0 ? LOOPBACK : config.trustedProxies,
  };
}

function exposureIssues(host: string, { auth }: Config, anywhere: boolean): string[] {
  if (auth.kind === "issuer" || anywhere || isLoopback(host)) return [];
  return [
    `RECTO_GATEWAY_HOST must be a loopback address with the local issuer: "${host}". Set ` +
    "RECTO_AUTH_ISSUER, or RECTO_AUTH_LOCAL_ANYWHERE=true",
  ];
}
