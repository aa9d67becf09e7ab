/**
 * Converts the language and caption of a code block to the info string of a fence, and back.
 *
 * @module
 */
import { CODE_LANGUAGES, type CodeLanguage } from "../blocks/languages.ts";

const PLAIN: CodeLanguage = "plain text";

/** Other names of languages. */
const ALIASES: Readonly<Record<string, CodeLanguage>> = {
  cpp: "c++",
  cs: "c#",
  csharp: "c#",
  dockerfile: "docker",
  fsharp: "f#",
  golang: "go",
  hs: "haskell",
  js: "javascript",
  jsx: "javascript",
  kt: "kotlin",
  make: "makefile",
  md: "markdown",
  objc: "objective-c",
  plaintext: PLAIN,
  proto: "protobuf",
  ps1: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "shell",
  tex: "latex",
  text: PLAIN,
  ts: "typescript",
  tsx: "typescript",
  txt: PLAIN,
  vb: "visual basic",
  wasm: "webassembly",
  yml: "yaml",
  zsh: "shell",
};

// A Map, because the keys to look up come from clients.
const LANGUAGES: ReadonlyMap<string, CodeLanguage> = new Map([
  ...CODE_LANGUAGES.map((language) => [nameOf(language), language] as const),
  ...Object.entries(ALIASES),
]);

export interface CodeInfo {
  /** The first word of the info string. */
  readonly lang: string | null;
  /** The rest of the info string. */
  readonly meta: string | null;
}

/**
 * The info string of a block. For plain text, it is only the caption unless that names a language.
 */
export function toCodeInfo(language: string, caption: string): CodeInfo {
  const meta = caption.trim() || null;
  if (language !== PLAIN) return { lang: nameOf(language), meta };
  if (meta === null) return { lang: null, meta };
  const [lang = "", rest = ""] = meta.split(/\s+(.*)/s);
  return LANGUAGES.has(lang.toLowerCase()) ? { lang: "text", meta } : { lang, meta: rest || null };
}

/** The language and caption in an info string; an unknown language becomes part of the caption. */
export function fromCodeInfo(
  { lang, meta }: {
    readonly lang?: string | null | undefined;
    readonly meta?: string | null | undefined;
  },
): { readonly language: CodeLanguage; readonly caption: string } {
  const language = LANGUAGES.get((lang ?? "").toLowerCase());
  if (language !== undefined) return { language, caption: meta ?? "" };
  return { language: PLAIN, caption: [lang, meta].filter(Boolean).join(" ") };
}

/** Returns whether a text is the name of a language as the wire format spells it. */
export function isLanguage(text: string): text is CodeLanguage {
  return CODE_LANGUAGES.some((language) => language === text);
}

function nameOf(language: string): string {
  return language.replaceAll(" ", "-");
}
