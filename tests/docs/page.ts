/**
 * The fenced code blocks of a page of the documentation. CONTRIBUTING.md describes the convention.
 *
 * @module
 */

/** A fenced code block. */
export interface Block {
  /** Line of its fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** File that the block is written or applied to. */
  readonly file: string;
  readonly text: string;
}

export interface Command {
  readonly text: string;
  readonly output: string;
}

/** One thing to do in the session of a page. */
export type Step =
  & { readonly line: number }
  & (
    | { readonly kind: "shell"; readonly text: string; readonly output?: Block; hidden?: boolean }
    | { readonly kind: "console"; readonly commands: readonly Command[] }
    | { readonly kind: "write" | "patch"; readonly file: string; readonly text: string }
    | { readonly kind: "left out"; readonly reason: string }
  );

interface Comment {
  readonly line: number;
  readonly kind: "run" | "not run";
  readonly text: string;
}

type Part = Block | Comment;

const SHELLS = ["sh", "bash", "zsh", "shell"];
const CONSOLES = ["console", "shell-session", "terminal"];
const FENCE = /^( *)(`{3,})(\S*) ?(.*)$/;
const COMMENT = /^ *<!-- (run|not run):/;

/** Returns what the test does on a page, in order. Blocks of other languages alone are no step. */
export function readSteps(page: string): Step[] {
  const parts = readParts(page.split("\n"));
  return parts.flatMap((part, index) => {
    if ("kind" in part) return part.kind === "run" ? [hiddenStep(part)] : [];
    const before = parts[index - 1];
    const after = parts[index + 1];
    const isSkipped = before !== undefined && "kind" in before && before.kind === "not run" &&
      isNext(page, endOf(before), part.line);
    if (isSkipped) return isStep(part) ? [leftOut(part, before.text)] : [];
    const output = after !== undefined && !("kind" in after) && isOutput(after) &&
        isNext(page, endOf(part), after.line)
      ? after
      : undefined;
    return stepOf(part, output);
  });
}

function hiddenStep({ line, text }: Comment): Step {
  return { kind: "shell", line, text: `${text}\n`, hidden: true };
}

function leftOut({ line }: Block, reason: string): Step {
  return { kind: "left out", line, reason };
}

function stepOf({ line, language, file, text }: Block, output: Block | undefined): Step[] {
  if (isConsole({ language, text })) return [{ kind: "console", line, commands: commandsOf(text) }];
  if (SHELLS.includes(language)) {
    return [{ kind: "shell", line, text, ...(output && { output }) }];
  }
  if (file === "") return [];
  return [{ kind: language === "diff" ? "patch" : "write", line, file, text }];
}

/** An unlabelled block with a prompt counts, so that no command escapes the test. */
function isConsole({ language, text }: Pick<Block, "language" | "text">): boolean {
  return CONSOLES.includes(language) || (language === "" && text.startsWith("$ "));
}

function isStep(block: Block): boolean {
  return isConsole(block) || SHELLS.includes(block.language) || block.file !== "";
}

function isOutput(block: Block): boolean {
  return !isStep(block);
}

/** Splits a console block into commands and what each prints. */
function commandsOf(text: string): Command[] {
  return text.split(/^\$ /m).slice(1).map((part) => {
    const [, command = "", output = ""] = /^((?:[^\n]*\\\n)*[^\n]*\n)([^]*)$/.exec(part) ?? [];
    return { text: command, output };
  });
}

function readParts(lines: readonly string[]): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < lines.length; at++) {
    const part = readBlock(lines, at) ?? readComment(lines, at);
    if (part === undefined) continue;
    parts.push(part);
    at = endOf(part) - 1;
  }
  return parts;
}

function readBlock(lines: readonly string[], at: number): Block | undefined {
  const [, indent = "", fence, language = "", file = ""] = FENCE.exec(lines[at] ?? "") ?? [];
  if (fence === undefined) return undefined;
  const end = lines.indexOf(indent + fence, at + 1);
  if (end < 0) throw new Error(`Line ${at + 1}: the code block has no end`);
  const text = lines.slice(at + 1, end).map((line) => `${line.slice(indent.length)}\n`).join("");
  return { line: at + 1, language, file, text };
}

function readComment(lines: readonly string[], at: number): Comment | undefined {
  const [, kind] = COMMENT.exec(lines[at] ?? "") ?? [];
  if (kind !== "run" && kind !== "not run") return undefined;
  const [text = ""] = lines.slice(at).join("\n").replace(COMMENT, "").split("-->");
  return { line: at + 1, kind, text: text.replace(/^ *\n?|\s+$/g, "") };
}

/** Returns the last line of a part, from 1. */
function endOf(part: Part): number {
  const lines = part.text.split("\n").length;
  return "kind" in part ? part.line + lines - 1 : part.line + lines;
}

/** Returns whether only blank lines are between two lines. */
function isNext(page: string, end: number, start: number): boolean {
  return page.split("\n").slice(end, start - 1).every((line) =>
    line.trim() === "" || line === "-->"
  );
}
