/**
 * The regular expressions of source files, and the time that they take.
 *
 * @module
 */
import recheck from "recheck";

export interface SourceExpression {
  /** The file, and the line of a literal. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Returns the literal regular expressions of a source file. */
export function expressionsIn({ path, text }: { readonly path: string; readonly text: string }) {
  const found: SourceExpression[] = [];
  const plugin: Deno.lint.Plugin = {
    name: "expressions",
    rules: {
      collect: {
        create: () => ({
          Literal(node) {
            const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(node.raw) ?? [];
            if (source === undefined || flags === undefined) return;
            const line = text.slice(0, node.range[0]).split("\n").length;
            found.push({ place: `${path}:${line}`, source, flags });
          },
        }),
      },
    },
  };
  Deno.lint.runPlugin(plugin, path, text);
  return found;
}

/**
 * Returns the regular expressions that a module makes of texts when it is imported, unless another module
 * has imported it before.
 */
export async function expressionsMadeBy(path: string): Promise<SourceExpression[]> {
  const found: SourceExpression[] = [];
  const { RegExp } = globalThis;
  class Watched extends RegExp {
    constructor(pattern: string | RegExp, flags?: string) {
      super(pattern, flags);
      found.push({ place: path, source: this.source, flags: this.flags });
    }
  }
  Object.defineProperty(globalThis, "RegExp", { value: Watched });
  try {
    await import(`../../${path}`);
  } finally {
    Object.defineProperty(globalThis, "RegExp", { value: RegExp });
  }
  return found;
}

interface Diagnosis {
  readonly status: "safe" | "vulnerable" | "unknown";
  /** How that was found: by theory, or by trying. */
  readonly checker: "automaton" | "fuzz";
  readonly complexity?: { readonly summary: string };
  /** A text that takes long. */
  readonly attack?: { readonly pattern: string };
}

// Sound because the package declares this function so, for another entry point.
const { checkSync } = recheck as {
  checkSync(source: string, flags: string, options?: { readonly timeout?: number }): Diagnosis;
};

/** Returns how the time grows that an expression may take; undefined if it grows with the text alone. */
export function growthOf({ source, flags }: SourceExpression): string | undefined {
  if (!/[*+]|\{\d+,\}/.test(source)) return undefined;
  // A busy machine may need a minute for what others do in seconds.
  for (const one of new Set([source, withoutReferences(source)])) {
    const { status, checker, complexity, attack } = checkSync(one, flags, {
      timeout: one === source ? 60_000 : 10_000,
    });
    // What is only tried without references may take long on texts that the references refuse.
    if (status === "safe" || one !== source && checker !== "automaton") continue;
    return `${complexity?.summary ?? status}: ${attack?.pattern.slice(0, 80) ?? "not understood"}`;
  }
  return undefined;
}

const TOKENS = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?:<?[=!]|:))?|\)|[^]/g;

/**
 * Replaces references to groups, such as `\1`, by the groups. An expression with references is tried on
 * random texts alone, which do not always find one that takes long; others are analyzed.
 */
function withoutReferences(source: string): string {
  const groups: string[] = [];
  const open: { readonly start: number; readonly group: number | undefined }[] = [];
  let count = 0;
  let text = "";
  for (const [token] of source.matchAll(TOKENS)) {
    if (token.startsWith("(")) {
      open.push({ start: text.length, group: token === "(" ? count++ : undefined });
    }
    text += /^\\[1-9]$/.test(token) ? `(?:${groups[Number(token[1]) - 1] ?? ""})` : token;
    if (token !== ")") continue;
    const closed = open.pop();
    if (closed?.group !== undefined) groups[closed.group] = text.slice(closed.start);
  }
  return text;
}
