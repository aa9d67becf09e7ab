/**
 * `policy replay` as a program of its own.
 *
 * @module
 */
import { command } from "../../src/policy/commands/replay.ts";
import { openDesk } from "../../src/cli/policy.ts";

Deno.exitCode = await command.run(Deno.args, openDesk());
