/**
 * `curl` commands that show what a change of policy opens. They change nothing: their IDs do not
 * exist, and their bodies are not JSON.
 *
 * @module
 */
import type { Change } from "../analysis/diff.ts";
import { isSatisfied, NEVER } from "../analysis/formula.ts";
import { smallestFor } from "../analysis/capabilities.ts";
import type { NormalPolicy } from "../analysis/normal.ts";
import { createScopeSet, union } from "../analysis/scope_set.ts";
import { inWords } from "../lint/names.ts";
import { quoted } from "../lint/paths.ts";
import { acrValuesIn, scopesIn } from "../../shared/acr.ts";

export interface CurlOptions {
  /** The new policy. */
  readonly after: NormalPolicy;
  /** Base URL of the server, without a slash at its end. */
  readonly url: string;
  /** Returns the routes whose responses can contain a field. */
  readonly routesShowing: (field: string) => Iterable<string>;
}

/** No page, block, database or user has this ID. */
const NO_ID = "00000000-0000-4000-8000-000000000000";
/** A route of plain segments and parameters; what matches a pattern is not for us to guess. */
const PLAIN = /^[A-Z]+ [\w\-.~%/:]+$/;
/** Parameters for which the server knows a word. */
const KNOWN_IDS: ReadonlyMap<string, string> = new Map([["user_id", "me"]]);

/**
 * Returns the commands for each smallest token that gains a call or a field. A route with a wildcard
 * or a regular expression has none.
 */
export function curlsFor(changes: readonly Change[], options: CurlOptions): string[] {
  return changes.flatMap((change) => change.gains.flatMap((set) => curlFor(change, set, options)));
}

function curlFor({ kind, name }: Change, gain: readonly string[], options: CurlOptions): string[] {
  if (kind === "field") return curlForField(name, gain, options);
  return PLAIN.test(name) ? [curlForCall(name, gain, options)] : [];
}

function curlForCall(
  route: string,
  scopes: readonly string[],
  { url }: CurlOptions,
): string {
  const subject = scopes.length === 0 ? "without a token" : `for a token with ${inWords(scopes)}`;
  return `# ${route}: refused before this change and not after it, ${subject}\n${
    commandFor(route, { url, scopes })
  }`;
}

/** Returns the command for the smallest token that sees the field and may make a call with it. */
function curlForField(
  field: string,
  gain: readonly string[],
  { after, url, routesShowing }: CurlOptions,
): string[] {
  const routes = [...routesShowing(field)].filter((route) =>
    after.routes.has(route) && PLAIN.test(route)
  )
    .sort((a, b) => unknownIds(a) - unknownIds(b) || Number(isGet(b)) - Number(isGet(a)));
  return routes.slice(0, 1).flatMap((route) => {
    const tokens = smallestFor(after, [route]).map((set) => union(new Set(set), new Set(gain)));
    return tokens.filter((token) => isSatisfied(after.routes.get(route) ?? NEVER, token)).slice(
      0,
      1,
    )
      .map((token) => {
        const scopes = [...createScopeSet(token)];
        return `# ${field}: missing before this change and present after it, for a token with ${
          inWords(scopes)
        }\n${commandFor(route, { url, scopes })}`;
      });
  });
}

function isGet(route: string): boolean {
  return route.startsWith("GET ");
}

/** Returns how many IDs the reader of a command would have to fill in. */
function unknownIds(route: string): number {
  return [...route.matchAll(/:([a-z][a-z0-9_]*)/g)]
    .filter(([, name = ""]) => !KNOWN_IDS.has(name)).length;
}

function commandFor(
  route: string,
  { url, scopes }: { readonly url: string; readonly scopes: readonly string[] },
): string {
  const [method = "GET", path = ""] = route.split(" ");
  const target = path.replaceAll(/:([a-z][a-z0-9_]*)/g, (_, name) => KNOWN_IDS.get(name) ?? NO_ID);
  const token = scopes.length === 0
    ? []
    : [`-H "Authorization: Bearer $(${tokenCommand(scopes)})"`];
  const body = ["POST", "PATCH", "PUT"].includes(method)
    ? [`-H 'Content-Type: application/json' -d '{'`]
    : [];
  return ["curl", "-i", "-X", method, `'${url}${target}'`, ...token, ...body].join(" ");
}

/** The local issuer mints what another issuer would have to be asked for. */
function tokenCommand(names: readonly string[]): string {
  const [acr] = acrValuesIn(names);
  const scope = `deno task token --scope '${scopesIn(names).join(" ")}'`;
  return acr === undefined ? scope : `${scope} --acr ${quoted(acr)}`;
}
