/**
 * `policy replay` as a program of its own.
 *
 * @module
 */
import { command } from "../../src/policy/commands/replay.ts";
import { createIo } from "../../src/policy/io.ts";

Deno.exitCode = await command.run(Deno.args, createIo());
