/**
 * The message for a person who starts the server in a terminal.
 *
 * @module
 */
import { authorityOf, type Config, isEveryAddress } from "../config/config.ts";
import { VERSION } from "./version.ts";

type BannerConfig = Pick<
  Config,
  | "host"
  | "port"
  | "admin"
  | "publicUrl"
  | "auth"
  | "launcher"
  | "dataDir"
  | "policyFile"
  | "workspaceClaim"
>;

/**
 * Returns where the service listens and, with the local issuer, commands that mint a token of all these
 * scopes and make a first call. They repeat the settings that the service was started with.
 */
export function startupBanner(config: BannerConfig, scopes: readonly string[]): string {
  const { auth, host, port, publicUrl, admin, launcher } = config;
  const here = localUrl(config);
  const addresses = [
    `Recto ${VERSION} listens on ${authorityOf(host, port)}`,
    ...(publicUrl === undefined ? [] : [`Clients reach it at ${publicUrl}`]),
    ...(admin === undefined
      ? []
      : [`Operators: ${localUrl(admin)}/metrics, /readyz, /policy, /docs`]),
    ...(admin === undefined ? [`API reference: ${here}/docs`] : []),
  ].map((line) => `${line}\n`).join("");
  if (auth.kind === "issuer") return `${addresses}Tokens come from ${auth.issuer}\n`;
  const command = [...settingsOf(config), launcher, "task"].join(" ");
  return `${addresses}
Mint a token with every scope:
  ${command} token --scope ${quoted(scopes.join(" "))}

First call:
  curl -s -H "Authorization: Bearer $(${command} --quiet token --scope users.read)" ${here}/v2/users/me

`;
}

/** The URL under which this machine reaches an address. */
function localUrl({ host, port }: Pick<Config, "host" | "port">): string {
  return `http://${authorityOf(isEveryAddress(host) ? "localhost" : host, port)}`;
}

/** Settings without which the command would mint for another service. */
function settingsOf({ dataDir, policyFile, workspaceClaim, auth }: BannerConfig): string[] {
  const audience = auth.kind === "local" ? auth.audience : undefined;
  const settings = [
    ["RECTO_DATA_DIR", dataDir, ".data"],
    ["RECTO_POLICY_FILE", policyFile, "policy/scopes.json"],
    ["RECTO_AUTH_WORKSPACE_CLAIM", workspaceClaim, "workspace_id"],
    ["RECTO_AUTH_AUDIENCE", audience, undefined],
  ] as const;
  return settings.flatMap(([name, value, fallback]) =>
    value === undefined || value === fallback ? [] : [`${name}=${quoted(value)}`]
  );
}

/** Quotes a text for a shell, if it must be quoted. */
function quoted(text: string): string {
  if (/^[\w./:@%+-]+$/.test(text)) return text;
  if (/^[\w./:@%+ -]+$/.test(text)) return `"${text}"`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
