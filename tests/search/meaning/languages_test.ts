import { languageOf, stem } from "../../../src/search/meaning/languages.ts";
import { read } from "../../../src/search/meaning/terms.ts";
import { assert, assertEquals } from "../../assert.ts";

function words(text: string): readonly string[] {
  return read({ title: "", text }).text;
}

const SENTENCES = {
  ar: "كان الولد في البيت ولكن أمه لم تكن معه لأنها ذهبت إلى السوق من أجل هذا",
  bg: "Кучето и котката не са в къщата, но те бяха с нас на улицата, когато го нямаше",
  el: "Ο σκύλος και η γάτα δεν είναι στο σπίτι αλλά ήταν μαζί μας στον δρόμο για να",
  da: "Han ville gerne have, at hun skulle blive hos ham i nat og ikke gå hjem",
  de: "Der Hund und die Katze sind nicht in dem Haus, sondern auf der Straße",
  en: "The dog and the cat are not in the house but out there on the street",
  es: "El perro y el gato no están en la casa, sino que fueron a la calle con los niños",
  fr: "Le chien et le chat ne sont pas dans la maison, mais ils sont avec nous dans la rue",
  hi: "कुत्ता और बिल्ली घर में नहीं हैं लेकिन वे हमारे साथ सड़क पर थे और यह उनका है",
  id: "Anjing dan kucing itu tidak ada di dalam rumah, tetapi mereka akan bersama kami untuk",
  it: "Il cane e il gatto non sono nella casa, ma gli altri erano con noi nella strada",
  ja: "犬と猫は家の中にはいないが、彼らは私たちと一緒に道にいた",
  nl: "De hond en de kat zijn niet in het huis, maar zij waren met ons op straat geweest",
  pt: "O cachorro e o gato não estão na casa, mas eles estavam com você em uma rua também",
  ru: "Собака и кошка не в доме, но они были с нами на улице, когда его там не было",
  sv: "Hunden och katten är inte i huset, men de har varit med oss på gatan när det var sent",
};

Deno.test("languageOf() detects languages by their common words", () => {
  for (const [tag, sentence] of Object.entries(SENTENCES)) {
    assertEquals(languageOf(words(sentence)), tag, sentence);
  }
});

Deno.test("languageOf() returns undefined if the language is unclear", () => {
  assertEquals(languageOf(words("Wing flutter notes 2024")), undefined);
  assertEquals(languageOf(words("東京都")), undefined);
  assertEquals(languageOf([]), undefined);
});

Deno.test("stem() returns the same stem for all forms of a word", () => {
  assertEquals(stem("flows", "en"), stem("flowing", "en"));
  assertEquals(stem("hunden", "de"), stem("hunde", "de"));
  for (
    const [tag, one, other] of [
      ["ar", "المدرسه", "مدرسه"],
      ["ar", "والكتاب", "كتاب"],
      ["bg", "книгата", "книга"],
      ["el", "θαλασσασ", "θαλασσα"],
      ["hi", "किताबों", "किताब"],
      ["id", "bukunya", "buku"],
    ] as const
  ) {
    assertEquals(stem(one, tag), stem(other, tag), `${one}, ${other}`);
  }
  assert(stem("مدرسه", "ar") !== stem("مدير", "ar"));
  assertEquals(stem("flows", undefined), "flows");
  assertEquals(stem("flows", "xx"), "flows");
});
