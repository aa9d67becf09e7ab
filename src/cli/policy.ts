/**
 * `deno task policy COMMAND`: the reviewer's tools, beside the server's own judgement of the files.
 *
 * @module
 */
import { checkBundle } from "../policy_runtime/policy_bundle.ts";
import { runPolicy } from "./policy/cli.ts";
import type { CommandContext } from "../policy/command.ts";
import { createIo } from "../policy/io.ts";

/** The world of a reviewer on a machine; files are named from `root`, as those of `createIo()`. */
export function openCommandContext(root?: string): CommandContext {
  return {
    ...createIo(root),
    refusals: async (texts, paths) => {
      // The endpoints are most of the server: other commands start without them.
      const { policyRoutes } = await import("../api/endpoints.ts");
      const checked = await checkBundle(texts, { paths, routes: policyRoutes });
      return checked.ok ? [] : checked.issues;
    },
  };
}

if (import.meta.main) Deno.exitCode = await runPolicy(Deno.args, openCommandContext());
