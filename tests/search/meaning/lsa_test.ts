import fc from "fast-check";
import { embed, learnLsa } from "../../../src/search/meaning/lsa.ts";
import { lsaFromBytes, lsaToBytes } from "../../../src/search/meaning/lsa_bytes.ts";
import type { SparseMatrix, SparseVector } from "../../../src/search/meaning/sparse.ts";
import { truncatedSvd } from "../../../src/search/meaning/svd.ts";
import { read, termCounts, type TitledText } from "../../../src/search/meaning/terms.ts";
import { weigh } from "../../../src/search/meaning/vocabulary.ts";
import { toUnit, type Vector } from "../../../src/search/vectors/vector.ts";
import { assert, assertEquals } from "../../assert.ts";

const TOPICS = 12;
const WORDS = 40;

/** Texts of thirty words, each about one topic, so that many words of one never meet in a text. */
function sampleTexts(count: number): TitledText[] {
  const random = fc.sample(fc.nat(WORDS - 1), { numRuns: count * 30, seed: 7 });
  return Array.from({ length: count }, (_, i) => {
    const words = random.slice(i * 30, (i + 1) * 30).map((word) => `t${i % TOPICS}w${word}`);
    return { title: "", text: `the ${words.join(" and ")}` };
  });
}

const TEXTS = sampleTexts(240);
const LSA = learnLsa(TEXTS);

function cosine(a: string, b: string): number {
  return product(embed(LSA, { title: "", text: a }), embed(LSA, { title: "", text: b }));
}

function product(x: Vector = new Float32Array(), y: Vector = new Float32Array()): number {
  return x.reduce((sum, entry, i) => sum + entry * (y[i] ?? 0), 0);
}

Deno.test("learnLsa() finds what texts are about, though they share no word", () => {
  for (let topic = 0; topic < TOPICS; topic++) {
    const words = Array.from({ length: 20 }, (_, word) => `t${topic}w${word}`);
    const half = words.slice(0, 10).join(" ");
    const other = words.slice(10).join(" ");
    const foreign = other.replaceAll(`t${topic}w`, `t${(topic + 1) % TOPICS}w`);
    assert(cosine(half, other) > 0.3, `topic ${topic}: ${cosine(half, other)}`);
    assert(Math.abs(cosine(half, foreign)) < 0.1, `topic ${topic}: ${cosine(half, foreign)}`);
  }
});

Deno.test("learnLsa() treats the forms of a word alike", () => {
  const forms = ["flow", "flows", "flowing", "flowed"];
  const texts = TEXTS.map(({ text }, i) => ({ title: "", text: `${text} ${forms[i % 4]}` }));
  const lsa = learnLsa(texts);
  assertEquals(lsa.language, "en");
  const [flow, ...others] = forms.map((text) => embed(lsa, { title: "", text }));
  for (const other of others) assertEquals(other, flow);
});

Deno.test("embed() returns the decomposition's vector for a text of the sample", () => {
  const counts = TEXTS.map((text) => termCounts(read(text), LSA.language));
  const rows = counts.map((each) => weigh(LSA.vocabulary, each));
  // The right vectors of the transposed matrix are the left ones of the matrix: each text's own.
  const texts = truncatedSvd(transpose(rows, LSA.vocabulary.rows.size), LSA.dimensions);
  const own = TEXTS.slice(0, 30).map((_, i) => {
    return toUnit(Float32Array.from(texts, ({ value, vector }) => value * (vector[i] ?? 0)));
  });
  const folded = TEXTS.slice(0, 30).map((text) => embed(LSA, text));
  own.forEach((vector, i) => {
    own.forEach((other, j) => {
      const [expected, actual] = [product(vector, other), product(folded[i], folded[j])];
      assert(Math.abs(actual - expected) < 0.01, `texts ${i} and ${j}: ${actual}, ${expected}`);
    });
  });
});

function transpose(rows: readonly SparseVector[], width: number): SparseMatrix {
  const columns = Array.from({ length: width }, (): [number, number][] => []);
  rows.forEach(({ indices, values }, row) => {
    indices.forEach((column, at) => columns[column]?.push([row, values[at] ?? 0]));
  });
  return {
    width: rows.length,
    rows: columns.map((entries) => ({
      indices: Uint32Array.from(entries, ([row]) => row),
      values: Float32Array.from(entries, ([, value]) => value),
    })),
  };
}

Deno.test("embed() ignores unknown words", () => {
  assertEquals(new Set(embed(LSA, { title: "", text: "xyzzy 量子" })), new Set([0]));
  assertEquals(new Set(embed(LSA, { title: "", text: "" })), new Set([0]));
});

/** Parts that make texts hard: other scripts, half characters, marks alone, line ends. */
const noise = fc.string({ unit: fc.constantFrom(...'aé ß的東ก한\u0301😀\uD800\0\n"*') });

Deno.test("embed() returns a unit vector or zero for any text", () => {
  fc.assert(fc.property(noise, fc.nat(119), (noise, i) => {
    const vector = embed(LSA, { title: noise, text: `${TEXTS[i]?.text} ${noise}` });
    const length = Math.hypot(...vector);
    assertEquals(vector.length, LSA.dimensions);
    assert(Math.abs(length - 1) < 1e-5, `length ${length}`);
  }));
});

Deno.test("learnLsa() is deterministic, to the last bit", () => {
  assertEquals(lsaToBytes(learnLsa(TEXTS)), lsaToBytes(LSA));
});

Deno.test("lsaFromBytes() restores the model", () => {
  assertEquals(lsaFromBytes(lsaToBytes(LSA)), LSA);
  const shifted = new Uint8Array(lsaToBytes(LSA).length + 1);
  shifted.set(lsaToBytes(LSA), 1);
  assertEquals(lsaFromBytes(shifted.subarray(1)), LSA);
});

Deno.test("learnLsa() finds nothing similar in texts that have nothing in common", () => {
  const alone = Array.from({ length: 100 }, (_, i) => ({ title: "", text: `word${i}` }));
  assertEquals(learnLsa(alone).dimensions, 0);
});
