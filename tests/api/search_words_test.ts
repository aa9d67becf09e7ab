/**
 * Words in every script and however they are written: each sample with what must match and what must not.
 *
 * @module
 */
import { assertEquals } from "../assert.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { newPage, paragraph, succeed } from "./driver.ts";

/** A text, the queries that find it, and those that do not. */
type Sample = readonly [text: string, found: readonly string[], missed: readonly string[]];

async function ids(app: TestApp, query: string, words: string): Promise<string[]> {
  const body = { query: words === "quoted" ? `"${query}"` : query };
  const list = await succeed(app, "POST /v2/search", {
    body: { ...body, ...(words === "any" && { words }) },
  });
  const { results, search } = list as {
    readonly results: readonly { readonly id: string }[];
    readonly search: { readonly words: string; readonly corrected_query: string | null };
  };
  // What a correction or fewer words find is not asked for here.
  if (search.corrected_query !== null || words === "all" && search.words !== "all") return [];
  return results.map(({ id }) => id);
}

/** Each text is a page of its own; queries are asked one after the other. */
async function check(samples: readonly Sample[], ways: readonly string[]): Promise<void> {
  await withApp(async (app) => {
    for (const [text, found, missed] of samples) {
      const id = await newPage(app, { children: [paragraph(text)] });
      for (const way of ways) {
        const answers = async (query: string) => (await ids(app, query, way)).includes(id);
        for (const query of found) {
          assertEquals([way, query, await answers(query)], [way, query, true]);
        }
        for (const query of missed) {
          assertEquals([way, query, await answers(query)], [way, query, false]);
        }
      }
    }
  });
}

Deno.test("whatever stands in a text without spaces is found, wherever its words are divided", () =>
  check([
    ["東京都に住んでいます", ["京都", "東京", "都", "京", "に住", "東京都に住んでいます"], [
      "京東",
      "大阪",
      "都京",
    ]],
    ["電話番号を図書館で調べる", ["話番", "書館", "番号を", "館"], ["館図", "話電"]],
    ["我们在北京大学学习计算机科学", ["京大", "学学习", "算机", "机"], ["大京", "海大"]],
    ["臺灣的國家圖書館", ["家圖", "台湾", "国家图书馆", "館"], ["圖家", "上海"]],
    ["คนเรียนภาษาไทยทุกวัน", ["ภาษา", "ษาไทย", "ทุกวัน", "ไทย"], ["ไทยภาษา", "อาหาร"]],
    ["USBสายชาร์จ กับvitaminซี", ["USBสาย", "USBสายชาร์จ", "สายชาร์จ", "vitaminซี"], ["สายUSB"]],
    ["ຂ້ອຍຮຽນພາສາລາວທຸກມື້", ["ພາສາ", "ລາວ", "ສາລາວ"], ["ລາວພາສາ", "ອາຫານ"]],
    ["ខ្ញុំរៀនភាសាខ្មែររាល់ថ្ងៃ", ["ភាសា", "ខ្មែរ", "សាខ្មែរ"], ["ខ្មែរភាសា", "ម្ហូប"]],
    ["ကျွန်တော်မြန်မာစာသင်သည်", ["မြန်မာ", "မာစာ", "စာသင်"], ["စာမြန်မာ", "အစား"]],
    ["カタカナのコンピューターで書く", ["コンピュータ", "タカナ", "ピュー"], [
      "ナカタカ",
      "ラジオ",
    ]],
  ], ["all", "quoted"]));

Deno.test("simplified and traditional Chinese find each other, and other characters do not", () =>
  check([
    ["國際標準書號", ["国际标准", "國際標準", "书号"], ["国内标准"]],
    ["汉语词典", ["漢語", "詞典", "汉语词典"], ["英語詞典"]],
    ["憂鬱的臺灣烏龜", ["忧郁的台湾乌龟", "烏龜"], ["忧郁的大海龟"]],
  ], ["all"]));

Deno.test("endings, particles and articles do not hide a word", () =>
  check([
    ["학교에서 공부했습니다", ["학교", "학교가", "학교를", "공부합니다", "공부하는"], [
      "학생",
      "공원",
    ]],
    ["도서관의 책을 읽는다", ["도서관에서", "도서관은", "책"], ["공책"]],
    ["قرأت الكتاب في المدرسة", ["كتاب", "مدرسة", "والكتاب", "بالمدرسة"], ["مكتب", "مدينة"]],
    ["Die Häuser und das Rad", ["das Haus und die", "Haus"], ["Haube"]],
    ["Las ciudades antiguas", ["ciudad", "antigua"], ["cuidado"]],
    ["Книги на столе", ["книга", "столы"], ["книжник", "стог"]],
    ["οι θάλασσες και τα νησιά", ["θάλασσα"], ["θάλαμος"]],
    ["लड़कों की किताबें", ["किताब"], ["कितना"]],
    ["kitaplar ve evler", ["kitap"], ["kitabe"]],
    ["Les maisons blanches", ["maison", "blanche"], ["raison"]],
    ["As casas brancas", ["casa", "branca"], ["cassa"]],
    ["Книжки лежать на столах", ["книжка"], ["книгарня"]],
    ["The boats returned", ["boat", "returning"], ["boast"]],
  ], ["all"]));

Deno.test("umlauts are found as two letters and as one, and other words are not", () =>
  check([
    ["Müller wohnt in Köln", ["Mueller", "Muller", "koeln", "Köln"], ["Muehle", "Kohl"]],
    ["Herr Mueller geht", ["Müller", "mueller"], ["Muller"]],
    ["Århus og Øresund", ["aarhus", "oeresund", "Århus"], ["aarau"]],
    ["A poet wrote about shoes", ["poet", "shoes"], ["pot", "shos"]],
    ["Suomessa on kesällä ja talvella täällä hyvin paljon lämpimiä päiviä ystäville", [
      "kesalla",
      "päiviä",
    ], ["kesaellae"]],
  ], ["all"]));

/** A short text of twelve languages, around something written in a special way. */
const AROUND: readonly ((written: string) => string)[] = [
  (written) => `We use ${written} here`,
  (written) => `Wir nutzen ${written} hier`,
  (written) => `Nous utilisons ${written}, ici`,
  (written) => `Usamos ${written} aquí`,
  (written) => `Usiamo ${written}; qui`,
  (written) => `Мы используем ${written} здесь`,
  (written) => `Χρησιμοποιούμε ${written} εδώ`,
  (written) => `نستخدم ${written} هنا`,
  (written) => `हम ${written} का उपयोग करते हैं`,
  (written) => `우리는 ${written} 씁니다`,
  (written) => `我们使用 ${written} 工作`,
  (written) => `ここでは ${written} を使う`,
];

Deno.test("names with signs, numbers and joined words are found in texts of twelve languages", () =>
  check(
    [
      ["C++", ["C++", "c++", "cplusplus"], ["C#", "C+"]],
      ["C#", ["C#", "csharp"], ["C++", "F#"]],
      [".NET", [".NET", ".net", "dotnet"], [".ORG"]],
      ["node.js", ["nodejs", "node.js", "Node.js", "node js"], ["nodule", "nojs"]],
      ["nodejs", ["node.js", "nodejs", "Node.JS"], ["node js"]],
      ["A-4711", ["A4711", "A-4711", "4711"], ["A4712", "B4711"]],
      ["A4711", ["A-4711", "a4711"], ["A-472", "B-4711"]],
      ["1,000,000", ["1000000", "1.000.000", "1'000'000", "1,000,000"], ["1000001", "1,000,001"]],
      ["1000000", ["1,000,000", "1.000.000", "1\u202F000\u202F000"], [
        "10,000,000",
      ]],
      ["3.14", ["3.14", "3,14"], ["314", "3.15"]],
      ["getUserName", ["user", "userName", "get user name", "getusername"], ["sern", "ame"]],
      ["XMLHttpRequest", ["http", "xml", "HttpRequest"], ["quest", "lhttp"]],
    ].flatMap(([written, found, missed]) =>
      AROUND.map((around): Sample => [
        around(String(written)),
        // Sound because both are lists of queries.
        ...[found, missed] as [readonly string[], readonly string[]],
      ])
    ),
    ["all"],
  ));

Deno.test("version numbers are found with and without `v`, in texts of twelve languages, and others are not", () =>
  check(
    AROUND.flatMap((around): Sample[] => [
      [around("v1.2.3"), ["1.2.3", "v1.2.3", "V1.2.3", "1.2"], ["1.2.4", "1.3", "2.4", "v2.3.1"]],
      [around("7.8.9"), ["v7.8.9", "7.8.9"], ["v7.8.8", "v8.9.7", "v78.9"]],
      [around("v4"), ["v4"], ["4", "v4.0"]],
    ]),
    ["all", "quoted"],
  ));

Deno.test("what is elided before a word does not hide it, and an apostrophe makes no other word", () =>
  check([
    ["Nous parlons de eau et de vin", ["l'eau", "d’eau", "L’EAU"], ["l'oiseau", "leau"]],
    ["C'est l'eau de la mer", ["eau", "l'eau", "d'eau"], ["leau", "bateau"]],
    ["Les écoles de la ville", ["l'école", "d’école", "qu'école"], ["l'écolier", "lecole"]],
    ["L'après-midi est long", ["apresmidi", "d'après-midi", "après midi"], ["apremidi"]],
    ["Aujourd'hui il pleut", ["aujourdhui", "aujourd’hui", "qu'aujourd'hui"], ["aujourdhier"]],
    ["Aujourdhui il pleut", ["aujourd'hui", "aujourdhui"], ["aujourd'hier"]],
    ["L'ion est dans l'air, et n'est pas l'or", ["ion", "l'air", "l'ion"], ["lion", "nest", "lor"]],
    ["L'acqua nella casa dell'amico", ["acqua", "un'acqua", "amico", "all'amico"], ["lacqua"]],
    ["Mr O'Brien is here", ["OBrien", "O’Brien", "brien"], ["O'Brian"]],
    ["У саду м'яч", ["мяч", "м’яч"], ["меч"]],
    ["He'll go and we're not well, Dutch zo'n", ["he'll", "we’re"], ["hell", "were", "zon"]],
  ], ["all"]));

Deno.test("a quoted phrase keeps what is elided", () =>
  check([
    ["Nous parlons de eau et de vin", ["eau"], ["l'eau"]],
    ["C'est l'eau de la mer", ["l'eau", "eau"], ["d'eau"]],
  ], ["quoted"]));

Deno.test("spellings of a Hindi word find each other, and other words are not found", () =>
  check([
    ["यह हिन्दी में है", ["हिंदी", "हिन्दी"], ["हिरन", "हिना", "सिंधी"]],
    ["यह हिंदी में है", ["हिन्दी", "हिंदी"], ["हिन", "हिम"]],
    ["एक सम्बन्ध और गङ्गा, पञ्च, अण्डा", ["संबंध", "सम्बंध", "गंगा", "पंच", "अंडा"], ["सबध", "गगा"]],
    ["चाँद के नीचे ज़मीन", ["चांद", "चाँद", "जमीन", "ज़मीन"], ["चाद", "समीन"]],
    ["लड़कियाँ पढ़ती हैं", ["लडकियां", "लड़की", "पढती"], ["लकड़ी"]],
    ["अन्न और सम्मान", ["अन्न", "सम्मान"], ["अंन", "संमान"]],
  ], ["all", "any"]));

Deno.test("German compounds are found by what they end with, and by other words that end so they are not", () =>
  check([
    ["Der Haustürschlüssel liegt hier", ["Schlüssel", "schlussel", "Haustür"], ["Rüssel"]],
    ["Die Krankenversicherungen zahlen", ["Versicherung", "Krankenversicherung"], [
      "Sicherung",
      "Erinnerung",
    ]],
    ["Die Absicherung ist nicht teuer", ["Absicherung"], ["Sicherung"]],
    ["Das Donaudampfschiff und der Kapitän", ["Schiff", "Dampfschiff", "Donau"], ["Riff", "Pfiff"]],
    ["Ein Sonnenblumenfeld mit Bienen", ["Blumenfeld", "Sonnenblumenfeld"], ["Umfeld", "Lumpen"]],
  ], ["all", "any"]));

Deno.test("a question finds German compounds, and an English one does not", () =>
  check([
    ["Das ist der Werkzeugkasten und nicht mehr", ["Wo ist der Kasten", "Wo sind die Kästen"], [
      "Wo ist die Wiese",
      "Where is the Kasten",
    ]],
  ], ["any"]));

Deno.test("a German compound that no page has finds pages with its words, and a part of it does not", () =>
  withApp(async (app) => {
    const both = await newPage(app, {
      children: [paragraph("Die Reparatur von Fahrrädern ist nicht teuer")],
    });
    await newPage(app, { children: [paragraph("Das Fahrrad steht in der Garage")] });
    await newPage(app, { children: [paragraph("Die Garage und der Beitrag")] });
    const insured = await newPage(app, {
      children: [paragraph("Der Beitrag für die Versicherung ist hoch")],
    });
    const samples: readonly (readonly [string, readonly string[], string | null])[] = [
      ["Fahrradreparatur", [both], "fahrrad reparatur"],
      ["Versicherungsbeitrag", [insured], "versicherung beitrag"],
      ["Garagentor", [], null],
      ["Gartenreparatur", [], null],
      ['"Fahrradreparatur"', [], null],
    ];
    for (const [query, expected, corrected] of samples) {
      const { results, search } = await succeed(app, "POST /v2/search", { body: { query } });
      const ids = results.map(({ id }: { readonly id: string }) => id);
      assertEquals([ids, search.corrected_query], [expected, corrected], query);
    }
    const body = { query: "Was kostet eine Fahrradreparatur", words: "any" };
    const { results } = await succeed(app, "POST /v2/search", { body });
    assertEquals(results[0]?.id, both);
  }));

Deno.test("a compound of another language is not divided", () =>
  withApp(async (app) => {
    await newPage(app, { children: [paragraph("They stand under the bridge of the town")] });
    const list = await succeed(app, "POST /v2/search", { body: { query: "understand" } });
    assertEquals([list.results, list.search.corrected_query], [[], null]);
  }));

Deno.test("a search for many words finds the pages with all of them, and counts those with any", () =>
  withApp(async (app) => {
    const names =
      "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike " +
      "november oscar papa quebec romeo sierra tango";
    const words = names.split(" ");
    const text = (all: readonly string[]) => paragraph(all.join(" "));
    const whole = await newPage(app, { children: [text(words)] });
    const halves = [text(words.slice(0, 10)), text(words.slice(10))];
    const parts = await newPage(app, { children: halves });
    // Each lacks one word; as often as any other, it is not among those that are looked for first.
    for (const missing of words) {
      await newPage(app, { children: [text(words.filter((word) => word !== missing))] });
    }
    await newPage(app, { children: [text(words.slice(-1))] });
    assertEquals((await ids(app, names, "all")).sort(), [whole, parts].sort());
    const body = { query: names, words: "any", total: true, page_size: 1 };
    const list = await succeed(app, "POST /v2/search", { body });
    assertEquals(Reflect.get(list, "total"), { value: words.length + 3, relation: "exact" });
  }));
