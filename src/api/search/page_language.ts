/**
 * The language of pages, for questions too short to show their own: `Häuser` shows none.
 *
 * @module
 */
import { languageOf, prepareDetection } from "../../search/meaning/languages.ts";
import type { Phrase } from "../../search/text/query.ts";
import { hasForms, needsLanguage } from "../../search/words/forms.ts";
import { createRest, withRests } from "../../shared/yield_to_event_loop.ts";
import type { SearchWithin, WordIndex, WordMatch } from "../../store/port.ts";

/** Parts of pages, the newest, whose words are looked at, and the UTF-16 code units of each. */
const SAMPLED = 5;
const LENGTH = 1_000;

const WORD = /\S+/g;
/** Letters of the beginnings of words: enough to tell something of them, and not their endings. */
const FEWEST = 3;
const MOST = 5;

/**
 * Returns the language of the newest pages with any of the words that have forms or, if there are none, with words that
 * begin like them. Undefined if the question shows its language or the pages show none.
 */
export async function pageLanguage(
  store: Pick<WordIndex, "findWords">,
  workspace: string,
  { phrases, scope }: { readonly phrases: readonly Phrase[]; readonly scope: SearchWithin },
): Promise<string | undefined> {
  const rest = createRest();
  await withRests(prepareDetection(), rest);
  if (!needsLanguage(phrases)) return undefined;
  const find = async (wanted: readonly Phrase[]) => {
    const query = { phrases: wanted, match: "any", scope, limit: SAMPLED } as const;
    return (await store.findWords(workspace, query)).matches;
  };
  // Every beginning of the last word would be looked up for longer than the word itself.
  const words = phrases.filter(hasForms);
  const matches = await find(words.map(({ terms }) => ({ terms, isPrefix: false })));
  await rest();
  const sample = matches.length > 0 ? matches : await find(beginningsOf(words));
  await rest();
  return languageIn(sample);
}

/** The languages of the same parts: the store returns the same list until something is written. */
const knownLanguages = new WeakMap<readonly WordMatch[], { readonly language?: string }>();

function languageIn(sample: readonly WordMatch[]): string | undefined {
  const known = knownLanguages.get(sample);
  if (known !== undefined) return known.language;
  const language = languageOf(sample.flatMap(firstWordsOf));
  knownLanguages.set(sample, language === undefined ? {} : { language });
  return language;
}

/** Returns the beginnings that other forms of the words, and words of compounds, may share. */
function beginningsOf(phrases: readonly Phrase[]): Phrase[] {
  return phrases.flatMap(({ terms }) => terms).map((term) => {
    const length = Math.min(MOST, Math.max(FEWEST, Math.ceil(term.length / 2)));
    return { terms: [term.slice(0, length)], isPrefix: true };
  });
}

/** The first words of a part; what stands between its texts is in no language. */
function firstWordsOf({ title, body }: WordMatch): string[] {
  return `${title}${body}`.slice(0, LENGTH).match(WORD) ?? [];
}
