/**
 * Normalization of texts (UAX #15). Marks are put in order by insertion, which takes quadratic time: 26
 * to 37 s for 200,000 of them behind one letter. Of each run 30 are kept, as many as the
 * Stream-Safe Text Format has, and any language some times over.
 *
 * @module
 */

const MOST = 30;
const RUN = /\p{M}+/gu;
const LONG_RUN = new RegExp(`\\p{M}{${MOST + 1}}`, "u");
/** There are no marks before U+0300. */
const MAY_HAVE_MARKS = /[^\0-\u02FF]/;

/** Returns the text without the marks of a run behind its first 30. */
export function withShortRuns(text: string): string {
  if (text.length <= MOST || !MAY_HAVE_MARKS.test(text) || !LONG_RUN.test(text)) return text;
  return text.replace(RUN, (marks) => [...marks].slice(0, MOST).join(""));
}

/** Returns the text in a normal form, with at most 30 marks behind a letter. */
export function normalized(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  return withShortRuns(text).normalize(form);
}
