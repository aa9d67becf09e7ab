/**
 * Spellings of Devanagari: `हिन्दी` and `हिंदी`, `चाँद` and `चांद`, `ज़मीन` and `जमीन` are the same words.
 *
 * @module
 */
import { normalized } from "../../shared/normalize.ts";

const NUKTA = /\u093C/g;
const CANDRABINDU = /\u0901/g;
const ANUSVARA = "\u0902";
/** A nasal without a vowel before a stop, where a dot over the line may stand for it. */
const NASAL = /[ङञणन]्(?=[क-घच-झट-ढत-धप-भ])|म्(?=[प-भ])/g;
const MAY_DIFFER = /[\u0901\u0929\u0931\u0934\u093C\u094D]/;

/** Returns the text in one spelling; the second time it changes nothing. */
export function oneSpelling(text: string): string {
  if (!MAY_DIFFER.test(text)) return text;
  return normalized(text, "NFD").replace(NUKTA, "").normalize("NFC")
    .replace(CANDRABINDU, ANUSVARA).replace(NASAL, ANUSVARA);
}
