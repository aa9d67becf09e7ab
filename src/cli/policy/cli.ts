/**
 * Parses the command line of `recto policy` and runs the command.
 *
 * @module
 */
import {
  type Command,
  type CommandContext,
  EnvironmentError,
  EXIT,
  type Io,
  UsageError,
} from "../../policy/command.ts";
import { COMMANDS } from "./commands.ts";
import { FileError, PolicyError } from "../../policy/issue.ts";
import { TooManySetsError } from "../../policy/analysis/formula.ts";
import { didYouMean } from "../../shared/did_you_mean.ts";
import { asksForHelp, unknownOption } from "../options.ts";
import { usageOf } from "./options.ts";
import { toVisibleLines } from "../../shared/visible_text.ts";

/** Line breaks, tabs, and the space in a Markdown report that keeps `@api` from notifying anybody. */
const OWN = /(\t|\r?\n|\u200b)/;
/** These, and the colours of `createPaint()`. */
// deno-lint-ignore no-control-regex -- Colours begin with this character.
const OWN_IN_COLOR = /(\t|\r?\n|\u200b|\x1b\[(?:[012]|3[123])m)/;

/**
 * Runs a command line; returns the exit code and prints errors on standard error. Never rejects: an
 * unexpected error is a code of its own, so that no script takes a crash for a result.
 */
export async function runPolicy(args: readonly string[], given: CommandContext): Promise<number> {
  const context = withVisibleOutput(given);
  try {
    return await runLine(args, context);
  } catch (error) {
    return reportCrash(error, context);
  }
}

/** Files under review can be part of all that is printed: a terminal must not obey them. */
function withVisibleOutput(context: CommandContext): CommandContext {
  const toShown = (text: string) => toVisibleLines(text, context.color ? OWN_IN_COLOR : OWN);
  return {
    ...context,
    out: (text) => context.out(toShown(text)),
    err: (text) => context.err(toShown(text)),
  };
}

function reportCrash(error: unknown, context: CommandContext): number {
  try {
    const details = error instanceof Error ? error.stack ?? error.message : String(error);
    context.err(`The command crashed, which is a bug. Its result is unknown.\n\n${details}\n`);
  } catch {
    // Nobody reads standard error; the exit code still says it.
  }
  return EXIT.crash;
}

async function runLine(args: readonly string[], context: CommandContext): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || asksForHelp([name])) {
    context.out(help(rest[0]));
    return EXIT.good;
  }
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) return reportUnknown(name, context);
  if (asksForHelp(rest)) {
    context.out(describe(command));
    return EXIT.good;
  }
  return await runCommand(command, rest, context);
}

async function runCommand(
  command: Command,
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  try {
    return await command.run(args, context);
  } catch (error) {
    if (error instanceof UsageError) {
      context.err(`${error.message}\n\nUsage:\n${usageOf(command)}`);
      return EXIT.usage;
    }
    if (error instanceof PolicyError) {
      context.err(`${error.message}\n\nRun: deno task policy check\n`);
      return EXIT.data;
    }
    if (error instanceof FileError || error instanceof TooManySetsError) {
      context.err(`${error.message}\n`);
      return EXIT.data;
    }
    if (error instanceof EnvironmentError) {
      context.err(`${error.message}\n`);
      return error.code;
    }
    throw error;
  }
}

function reportUnknown(name: string, io: Io): number {
  const hint = didYouMean(name, COMMANDS.map((command) => command.name)) ?? "";
  const issue = name.startsWith("-")
    ? unknownOption(name, [])
    : `Unknown command: ${JSON.stringify(name)}. ${hint}`.trim();
  io.err(`${issue}\n\n${help(undefined)}`);
  return EXIT.usage;
}

function help(name: string | undefined): string {
  const command = COMMANDS.find((one) => one.name === name);
  if (command !== undefined) return describe(command);
  const width = Math.max(...COMMANDS.map((one) => one.name.length));
  const rows = COMMANDS.map((one) => `  ${one.name.padEnd(width)}  ${one.summary}\n`);
  return `Usage: recto policy COMMAND\n\n${
    rows.join("")
  }\nFor details, run: recto policy help COMMAND, or read policy/README.md\n`;
}

function describe(command: Command): string {
  return `${command.summary}\n\n${usageOf(command)}`;
}
