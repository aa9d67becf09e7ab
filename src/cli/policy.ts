/**
 * `recto policy COMMAND`: the reviewer's tools, together with the server's own checks.
 *
 * @module
 */
import { checkBundle } from "../policy_runtime/policy_bundle.ts";
import { runPolicy } from "./policy/cli.ts";
import type { CommandContext } from "../policy/command.ts";
import { createIo } from "../policy/io.ts";

/** Creates the context of a real machine; paths are relative to `root`, as in `createIo()`. */
export function openCommandContext(root?: string): CommandContext {
  return {
    ...createIo(root),
    rejections: async (texts, paths) => {
      // Loaded on demand, because the endpoints are most of the server.
      const { policyRoutes } = await import("../api/endpoints.ts");
      const { notionRoutes } = await import("../notion/routes.ts");
      // Without the table, /v1 is switched off; `serve` checks that it is.
      const aliases = texts.policy.includes('"aliases"') ? notionRoutes : undefined;
      const checked = await checkBundle(texts, { paths, routes: policyRoutes, aliases });
      return checked.ok ? [] : checked.issues;
    },
  };
}

if (import.meta.main) Deno.exitCode = await runPolicy(Deno.args, openCommandContext());
