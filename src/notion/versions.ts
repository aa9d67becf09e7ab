/**
 * The versions of the vendor's wire format, and the way from each to that of `/v2`.
 *
 * @module
 */
import { NotionError } from "./errors.ts";
import type { VersionStep } from "./step.ts";
import { v2021_05_11 } from "./versions/2021_05_11.ts";
import { v2021_05_13 } from "./versions/2021_05_13.ts";
import { v2021_08_16 } from "./versions/2021_08_16.ts";
import { v2022_02_22 } from "./versions/2022_02_22.ts";
import { v2025_09_03 } from "./versions/2025_09_03.ts";
import { v2026_03_11 } from "./versions/2026_03_11.ts";

/** The version that `/v2` speaks, so that nothing is to be translated. */
export const CORE = "2022-06-28";

/** Before and after {@linkcode CORE}, each in the order of their dates. */
const EARLIER: readonly VersionStep[] = [v2021_05_11, v2021_05_13, v2021_08_16, v2022_02_22];
const LATER: readonly VersionStep[] = [v2025_09_03, v2026_03_11];

/** A version that a client can ask for. */
export interface Version {
  /** The date that names it. Dates compare as texts. */
  readonly name: string;
  /** From this version to {@linkcode CORE}. */
  readonly steps: readonly VersionStep[];
  readonly ignoresUnknown: boolean;
}

const VERSIONS: ReadonlyMap<string, Version> = new Map(
  [
    ...EARLIER.map(({ version }, index) => toVersion(version, EARLIER.slice(index))),
    toVersion(CORE, []),
    ...LATER.map(({ version }, index) => toVersion(version, LATER.slice(0, index + 1).reverse())),
  ].map((version) => [version.name, version]),
);

/** The names of all versions, oldest first. */
export const VERSION_NAMES: readonly string[] = [...VERSIONS.keys()];

function toVersion(name: string, steps: readonly VersionStep[]): Version {
  return { name, steps, ignoresUnknown: steps.some((step) => step.ignoresUnknown === true) };
}

/** Returns the version of a request; throws `missing_version`, or `validation_error` for no version. */
export function versionOf(headers: ReadonlyMap<string, string>): Version {
  const sent = headers.get("notion-version");
  const version = VERSIONS.get(sent ?? "");
  if (version !== undefined) return version;
  const code = sent === undefined ? "missing_version" : "validation_error";
  const received = sent === undefined ? "undefined" : JSON.stringify(sent.slice(0, 55));
  throw new NotionError(
    code,
    `Notion-Version header failed validation: Notion-Version header should be ${
      sent === undefined ? "defined" : quoted(VERSION_NAMES)
    }, instead was \`${received}\`.`,
  );
}

function quoted(names: readonly string[]): string {
  const texts = names.map((name) => `\`"${name}"\``);
  return `${texts.slice(0, -1).join(", ")}, or ${texts.at(-1)}`;
}
