/**
 * Words of twelve languages as people search for them, each with what must not be taken for them.
 *
 * @module
 */

export interface LanguageSample {
  readonly language: string;
  /** A query, a text with the word as asked, one with another form of it, and one with another word. */
  readonly forms: readonly [query: string, exact: string, other: string, unlike: string];
  /**
   * A word as most pages have it, and misspelt. Characters of scripts without spaces are not corrected,
   * so that a character more is another word.
   */
  readonly word: string;
  readonly misspelt: string;
  readonly isCorrected: boolean;
  /** A text around a word. */
  around(word: string): string;
  /** A word beside it, and one that no page has. */
  readonly second: string;
  readonly absent: string;
  /** The beginning of the word, and that of no word. */
  readonly beginning: string;
  readonly noBeginning: string;
}

/** Each text shows its language; none of the queries does. */
export const LANGUAGES: readonly LanguageSample[] = [
  {
    language: "English",
    forms: ["boats", "The boats are in the bay", "The boat is in the bay", "They boast of the bay"],
    word: "harbour",
    misspelt: "harbuor",
    isCorrected: true,
    around: (word) => `This is the ${word} of the town`,
    second: "swallow",
    absent: "zeppelin",
    beginning: "harb",
    noBeginning: "harp",
  },
  {
    language: "German",
    forms: [
      "Häuser",
      "Die Häuser sind alt und schön",
      "Das Haus ist alt und schön",
      "Die Haube ist alt und schön",
    ],
    word: "Eisvogel",
    misspelt: "Eisvogle",
    isCorrected: true,
    around: (word) => `Das ist ein ${word} und nicht mehr`,
    second: "Möwe",
    absent: "Zeppelin",
    beginning: "Eisv",
    noBeginning: "Eisw",
  },
  {
    language: "French",
    forms: [
      "maisons",
      "Les maisons sont dans la ville",
      "La maison est dans la ville",
      "Les raisons sont dans la lettre",
    ],
    word: "bibliothèque",
    misspelt: "biblioteque",
    isCorrected: true,
    around: (word) => `C'est une ${word} dans la ville`,
    second: "hirondelle",
    absent: "zeppelin",
    beginning: "biblio",
    noBeginning: "bibla",
  },
  {
    language: "Spanish",
    forms: [
      "ciudades",
      "Las ciudades están en la costa",
      "La ciudad está en la costa",
      "El cuidado está en la casa",
    ],
    word: "mariposa",
    misspelt: "mariposs",
    isCorrected: true,
    around: (word) => `Es una ${word} de la casa`,
    second: "golondrina",
    absent: "zepelín",
    beginning: "mari",
    noBeginning: "maru",
  },
  {
    language: "Italian",
    forms: [
      "libri",
      "I libri sono sulla tavola con gli altri",
      "Il libro è sulla tavola con gli altri",
      "Il labbro è sulla tavola con gli altri",
    ],
    word: "farfalla",
    misspelt: "farfala",
    isCorrected: true,
    around: (word) => `Questa è una ${word} nella casa`,
    second: "rondine",
    absent: "dirigibile",
    beginning: "farf",
    noBeginning: "forf",
  },
  {
    language: "Russian",
    forms: [
      "книги",
      "Книги лежат на столе, и это не всё",
      "Книга лежит на столе, и это не всё",
      "Книжник сидит на столе, и это не всё",
    ],
    word: "молоко",
    misspelt: "молко",
    isCorrected: true,
    around: (word) => `Это ${word}, и оно не для них`,
    second: "ласточка",
    absent: "дирижабль",
    beginning: "молок",
    noBeginning: "молот",
  },
  {
    language: "Greek",
    forms: [
      "θάλασσες",
      "Οι θάλασσες είναι και για τα παιδιά",
      "Η θάλασσα είναι και για τα παιδιά",
      "Ο θάλαμος είναι και για τα παιδιά",
    ],
    word: "βιβλίο",
    misspelt: "βιβίο",
    isCorrected: true,
    around: (word) => `Αυτό το ${word} είναι για τα παιδιά`,
    second: "χελιδόνι",
    absent: "αερόπλοιο",
    beginning: "βιβλ",
    noBeginning: "βιολ",
  },
  {
    language: "Arabic",
    forms: ["كتاب", "هذا كتاب في البيت", "قرأت والكتاب في البيت", "هذا مكتب في البيت"],
    word: "المدرسة",
    misspelt: "المدرصة",
    isCorrected: true,
    around: (word) => `هذا من ${word} إلى البيت`,
    second: "طائر",
    absent: "منطاد",
    beginning: "المدر",
    noBeginning: "المدن",
  },
  {
    language: "Hindi",
    forms: [
      "किताबें",
      "ये किताबें घर में हैं और यह उनका है",
      "यह किताब घर में है और यह उनका है",
      "यह कितना घर में है और यह उनका है",
    ],
    word: "किताब",
    misspelt: "किताव",
    isCorrected: true,
    around: (word) => `यह ${word} घर में है और यह उनका है`,
    second: "चिड़िया",
    absent: "गुब्बारा",
    beginning: "किता",
    noBeginning: "कितन",
  },
  {
    language: "Korean",
    forms: ["학교에서", "우리는 학교에서 만났다", "우리는 학교가 좋다", "우리는 학생을 만났다"],
    word: "도서관이",
    misspelt: "도서괸이",
    isCorrected: true,
    around: (word) => `여기 ${word} 있습니다`,
    second: "제비",
    absent: "비행선",
    beginning: "도서관",
    noBeginning: "도서실",
  },
  {
    language: "Chinese",
    forms: ["机场", "我们在机场见面", "手机场次已经售完", "我们在广场见面"],
    word: "图书馆",
    misspelt: "图书管",
    isCorrected: false,
    around: (word) => `这里是${word}。`,
    second: "燕子",
    absent: "飞艇",
    beginning: "图书",
    noBeginning: "书图",
  },
  {
    language: "Japanese",
    forms: ["京都", "京都には古い寺がある", "東京都に住んでいる", "首都は東京である"],
    word: "図書館",
    misspelt: "図書管",
    isCorrected: false,
    around: (word) => `これは${word}です。`,
    second: "燕",
    absent: "飛行船",
    beginning: "図書",
    noBeginning: "書図",
  },
];
