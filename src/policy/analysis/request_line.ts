/**
 * Calls as people have them at hand: a method and a path, a URL, or a `curl` command line.
 *
 * @module
 */
import { UsageError } from "../command.ts";

export interface RequestLine {
  /** `GET /v2/pages/5c6a` */
  readonly call: string;
  /** The value of `Authorization`, if the line has one. */
  readonly authorization: string | undefined;
}

/** Parses the words of a call; throws `UsageError`. */
export function parseRequestLine(words: readonly string[]): RequestLine {
  const [first = "", ...rest] = words;
  if (rest.length === 0 && /^\s*curl\s/.test(first)) return parseCurl(shellWords(first).slice(1));
  const [method, target] = rest.length === 0 ? ["GET", first] : [first, rest.join(" ")];
  return { call: `${method} ${pathOf(target)}`, authorization: undefined };
}

/** Returns the path of a URL, or the text itself if it is none. */
function pathOf(target: string): string {
  return /^https?:\/\//i.test(target) && URL.canParse(target) ? new URL(target).pathname : target;
}

/** Options of curl that take a value and do not matter here. */
const WITH_VALUE = new Set(
  ("-o --output -u --user -A --user-agent -e --referer -b --cookie -c --cookie-jar -m --max-time " +
    "--connect-timeout -w --write-out -x --proxy --cacert --cert --key --retry --resolve")
    .split(" "),
);
const DATA = new Set(
  "-d --data --data-raw --data-binary --data-ascii --data-urlencode --json -F --form".split(" "),
);

function parseCurl(words: readonly string[]): RequestLine {
  let [method, url, authorization]: (string | undefined)[] = [];
  let hasData = false;
  let isQuery = false;
  const rest = words.flatMap(splitOption);
  while (rest.length > 0) {
    const word = rest.shift() ?? "";
    if (word === "-X" || word === "--request") method = rest.shift();
    else if (word === "-I" || word === "--head") method ??= "HEAD";
    else if (word === "-G" || word === "--get") isQuery = true;
    else if (word === "-H" || word === "--header") {
      authorization = /^authorization:\s*(.*)$/i.exec(rest.shift() ?? "")?.[1] ?? authorization;
    } else if (word === "--oauth2-bearer") authorization = rest.shift();
    else if (word === "--url") url = rest.shift();
    else if (DATA.has(word)) [hasData] = [true, rest.shift()];
    else if (WITH_VALUE.has(word)) rest.shift();
    else if (!word.startsWith("-")) url ??= word;
  }
  if (url === undefined) throw new UsageError("The curl command has no URL");
  const target = /^(?:https?:\/\/|\/)/i.test(url) ? url : `http://${url}`;
  return {
    call: `${method ?? (hasData && !isQuery ? "POST" : "GET")} ${pathOf(target)}`,
    authorization,
  };
}

/** Separates `--request=POST` and `-XPOST` into two words. */
function splitOption(word: string): string[] {
  const long = /^(--[a-z0-9-]+)=(.*)$/s.exec(word);
  const short = /^(-[XHdFou])(.+)$/s.exec(word);
  const [, name, value] = long ?? short ?? [];
  return name === undefined || value === undefined ? [word] : [name, value];
}

/** Splits a command line as a POSIX shell does, without expansions. */
function shellWords(line: string): string[] {
  const joined = line.replaceAll(/\\\r?\n/g, " ");
  const word = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/g;
  return [...joined.matchAll(word)].map(([text]) =>
    text.replaceAll(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
      (_, single, double, escaped) =>
        single ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? escaped ?? "",
    )
  );
}
