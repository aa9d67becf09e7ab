/**
 * `policy replay` as a program of its own.
 *
 * @module
 */
import { command } from "../../src/cli/policy/commands/replay.ts";
import { openCommandContext } from "../../src/cli/policy.ts";

Deno.exitCode = await command.run(Deno.args, openCommandContext());
