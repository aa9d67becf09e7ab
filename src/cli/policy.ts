/**
 * `deno task policy COMMAND`: the reviewer's tools, beside the server's own judgement of the files.
 *
 * @module
 */
import { checkPair } from "../live/pair.ts";
import { runPolicy } from "../policy/cli.ts";
import type { Desk } from "../policy/command.ts";
import { createIo } from "../policy/io.ts";

/** The world of a reviewer on a machine; files are named from `root`, as those of `createIo()`. */
export function openDesk(root?: string): Desk {
  return {
    ...createIo(root),
    refusals: async (texts, paths) => {
      // The endpoints are most of the server: other commands start without them.
      const { policyRoutes } = await import("../api/endpoints.ts");
      const checked = await checkPair(texts, { paths, routes: policyRoutes });
      return checked.ok ? [] : checked.faults;
    },
  };
}

if (import.meta.main) Deno.exitCode = await runPolicy(Deno.args, openDesk());
