import { assert, assertEquals } from "../assert.ts";
import { walkSources } from "../support/sources.ts";
import { expressionsIn, expressionsMadeBy, growthOf } from "../support/regular_expressions.ts";

/** Read what the operator or a policy's author writes, or what the operator's services answer. */
const OWN = [
  ...["src/cli/", "src/config/", "src/policy/", "src/search/embedders/"],
  ...["src/files/s3/list.ts", "src/store/postgres/servers.ts", "src/store/postgres/backup.ts"],
];

/** Take more time than the text is long, but only on texts that do not come to them. */
const NEVER_LONG: Readonly<Record<string, string>> = {
  "src/auth/strict_json.ts": "the text is valid JSON, so each string ends",
  "src/http/json.ts": "the text is valid JSON, so each string ends",
  "src/content/formulas/lexer.ts": "nothing follows, so it is never tried again",
  "src/content/properties/types/date.ts": "a date has 200 characters at most",
  "src/content/values/timestamps.ts": "the text is a date",
};

function* requestSources() {
  for (const source of walkSources("src")) {
    if (!OWN.some((own) => source.path.includes(own))) yield source;
  }
}

Deno.test("an expression with a reference is found to take more time than its text is long", () => {
  const spaces = { place: "", source: String.raw`for=("?)([^";]*)\1\s*(?:;|$)`, flags: "i" };
  for (let trial = 0; trial < 3; trial++) assert(growthOf(spaces) !== undefined);
  const linear = { place: "", source: String.raw`^("?)([^";]*)\1$`, flags: "" };
  assertEquals(growthOf(linear), undefined);
});

Deno.test("no regular expression takes more time than what a caller sends is long", async () => {
  const slow: string[] = [];
  for (const source of requestSources()) {
    if (source.path in NEVER_LONG) continue;
    const made = source.text.includes("new RegExp(") ? await expressionsMadeBy(source.path) : [];
    for (const expression of [...expressionsIn(source), ...made]) {
      const growth = growthOf(expression);
      if (growth !== undefined) slow.push(`${expression.place} /${expression.source}/ ${growth}`);
    }
  }
  assertEquals(slow, []);
});
