/**
 * Parses the arguments of a command that name calls and scopes.
 *
 * @module
 */
import { type Io, UsageError } from "../command.ts";
import { didYouMean } from "../../shared/did_you_mean.ts";
import type { Policy } from "../schema.ts";
import { parseCall, resolveRoute } from "./resolve.ts";

/** Returns the route of a call such as `GET /v2/pages/5c6a`; throws `UsageError` if no rule matches. */
export function routeOf(text: string, { routes }: Policy): string {
  if (routes.has(text)) return text;
  const call = parseCall(text);
  if (call === undefined) throw new UsageError(`Expected METHOD /path: ${JSON.stringify(text)}`);
  const route = resolveRoute(routes.keys(), call);
  if (route !== undefined) return route;
  const hint = didYouMean(`${call.method} ${call.path}`, routes.keys());
  throw new UsageError(
    `No rule matches ${call.method} ${call.path}. ${hint ?? "The server refuses such calls"}`,
  );
}

/** Returns a guarded field; throws `UsageError` if no rule names it. */
export function fieldOf(name: string, { fields }: Policy): string {
  if (fields.has(name)) return name;
  const hint = didYouMean(name, fields.keys());
  throw new UsageError(
    `No rule guards the field ${name}. ${hint ?? "Everyone who may make the call sees it"}`,
  );
}

/** Returns the scopes of `--scopes`, and warns about those that the policy does not define. */
export function readScopes(text: string, { policy, io }: {
  readonly policy: Policy;
  readonly io: Io;
}): Set<string> {
  const scopes = text.split(/[\s,]+/).filter((scope) => scope !== "");
  for (const scope of scopes.filter((one) => !policy.scopes.has(one))) {
    const hint = didYouMean(scope, policy.scopes.keys());
    io.err(
      `Unknown scope ${JSON.stringify(scope)} has no effect. ${hint ?? ""}`.trim() + "\n",
    );
  }
  return new Set(scopes);
}
