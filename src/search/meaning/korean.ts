/**
 * A light stemmer for Korean, for folded words. It takes off particles of nouns and the commonest
 * endings of verbs, and leaves at least one syllable, of shorter endings two.
 *
 * @module
 */

const SYLLABLE = /^[\uAC00-\uD7A3]/;

/** Particles and endings that are hardly ever part of a word. */
const LONG = [
  ...[
    "에서부터",
    "으로부터",
    "에게서는",
    "이라는",
    "이라고",
    "에서는",
    "에서도",
    "에게는",
    "으로는",
    "으로서",
    "으로써",
  ],
  ...[
    "에서",
    "에게",
    "에는",
    "에도",
    "으로",
    "까지",
    "부터",
    "처럼",
    "보다",
    "한테",
    "이나",
    "이란",
    "이며",
    "이고",
    "마다",
  ],
  ...[
    "했습니다",
    "합니다",
    "하였다",
    "했다",
    "한다",
    "하는",
    "하고",
    "하며",
    "하여",
    "해서",
    "하면",
    "하기",
    "되는",
    "된다",
  ],
  ...[
    "되었다",
    "됐다",
    "입니다",
    "습니다",
    "이다",
    "였다",
    "인가",
    "인가요",
    "일까",
    "할까",
    "들은",
    "들이",
    "들을",
    "들의",
  ],
];
/** Particles of one syllable, which may be the end of a word, too. */
const SHORT = [
  "은",
  "는",
  "이",
  "가",
  "을",
  "를",
  "의",
  "에",
  "와",
  "과",
  "도",
  "만",
  "로",
  "야",
  "랑",
  "들",
];

const ENDINGS = [
  ...LONG.map((ending) => [ending, 1] as const),
  ...SHORT.map((ending) => [ending, 2] as const),
]
  .sort(([a], [b]) => b.length - a.length);

/** Returns whether a word begins with a Korean syllable. */
export function isKorean(word: string): boolean {
  return SYLLABLE.test(word);
}

/** Returns the stem of a word. */
export function stemKorean(word: string): string {
  const found = ENDINGS.find(([ending, fewest]) =>
    word.endsWith(ending) && word.length - ending.length >= fewest
  );
  return found === undefined ? word : word.slice(0, -found[0].length);
}
