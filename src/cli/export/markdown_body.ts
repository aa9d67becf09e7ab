/**
 * The links in the Markdown of a page: to pages, databases and files of the export they become
 * relative.
 *
 * @module
 */

/** Returns what to put in place of a URL; undefined to leave it. */
export type Relink = (url: string) => Promise<string | undefined>;

/** A code span, where nothing is a link; or the destination of a link or an icon. */
const DESTINATION =
  /(?<![\\`])(`+)(?!`)[^]*?[^`]\1(?!`)|(\]\()(https?:\/\/[^\s)>]+)|(<aside data-icon=")(https?:\/\/[^"]+)/g;
const FENCE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)]) +)*(`{3,}|~{3,})/;

/** Replaces the URLs of links, images and icons; code is left as it is. */
export async function relink(markdown: string, replace: Relink): Promise<string> {
  const pieces: (string | Promise<string>)[] = [];
  for (const { text, isCode } of splitAtCode(markdown)) {
    if (isCode || !text.includes("http")) pieces.push(text);
    else pieces.push(...relinkText(text, replace));
  }
  return (await Promise.all(pieces)).join("");
}

interface Stretch {
  readonly text: string;
  readonly isCode: boolean;
}

/** Divides Markdown into fenced code and what is between. */
function splitAtCode(markdown: string): Stretch[] {
  if (!markdown.includes("```") && !markdown.includes("~~~")) {
    return [{ text: markdown, isCode: false }];
  }
  const stretches: { lines: string[]; isCode: boolean }[] = [];
  let fence: string | undefined;
  for (const line of markdown.split(/(?<=\n)/)) {
    const isCode: boolean = fence !== undefined;
    const last = stretches.at(-1);
    if (last?.isCode === isCode) last.lines.push(line);
    else stretches.push({ lines: [line], isCode });
    fence = nextFence(line, fence);
  }
  return stretches.map(({ lines, isCode }) => ({ text: lines.join(""), isCode }));
}

/** Returns the fence that is open after a line. */
function nextFence(line: string, open: string | undefined): string | undefined {
  if (open === undefined) return FENCE.exec(line)?.[1];
  const closing = /^[\s>]*([`~]+)\s*$/.exec(line)?.[1];
  return closing?.startsWith(open) ? undefined : open;
}

function* relinkText(text: string, replace: Relink): Generator<string | Promise<string>> {
  let end = 0;
  for (const match of text.matchAll(DESTINATION)) {
    const [whole, , bracket, destination, icon, address] = match;
    yield text.slice(end, match.index);
    end = match.index + whole.length;
    if (bracket !== undefined && destination !== undefined) {
      yield replaced(bracket, destination, replace(unescaped(destination)));
    } else if (icon !== undefined && address !== undefined) {
      yield replaced(icon, address, replace(address.replaceAll("&amp;", "&")));
    } else yield whole;
  }
  yield text.slice(end);
}

async function replaced(
  before: string,
  url: string,
  replacing: Promise<string | undefined>,
): Promise<string> {
  return before + (await replacing ?? url);
}

/** Backslashes escape punctuation in destinations (CommonMark 0.31.2 section 2.4). */
function unescaped(destination: string): string {
  return destination.replace(/\\([!-/:-@[-`{-~])/g, "$1");
}
