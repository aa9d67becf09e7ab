/**
 * A short name for a configuration, to see in the log whether two services have the same one.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { type Environment, findSetting, VARIABLES, type VariableSpec } from "./variables.ts";

const LENGTH = 12;

/**
 * Returns the first 12 digits of a SHA-256 of all settings that differ from their defaults. Secrets are
 * not part of it.
 */
export function settingsDigest(environment: Environment): string {
  const settings = Object.entries<VariableSpec<unknown>>(VARIABLES)
    .filter(([, { isSecret }]) => !isSecret)
    .map(([name, { fallback }]) => {
      const text = findSetting(environment, name)?.text;
      return text === undefined || text === fallback ? "" : `${name}=${JSON.stringify(text)}\n`;
    });
  return createHash("sha256").update(settings.join("")).digest("hex").slice(0, LENGTH);
}
