import type { Finding } from "../../src/policy/lint/finding.ts";
import { toAnnotations, toJson, toJunit, toSarif } from "../../src/policy/report/machine.ts";
import type { ClientReport } from "../../src/policy/report/clients.ts";
import { changesToText } from "../../src/policy/report/changes.ts";
import { changesToComment } from "../../src/policy/report/comment.ts";
import { sentenceOf } from "../../src/policy/report/invariant.ts";
import { createPaint, toText } from "../../src/policy/report/text.ts";
import { assert, assertEquals } from "../assert.ts";

const finding: Finding = {
  code: "unused-scope",
  level: "error",
  file: "policy/scopes.json",
  span: { line: 4, column: 5, length: 8 },
  excerpt: '    "a.read": "<&>",',
  message: 'Scope "a,b:c" is <used> by 100% nothing\n& nobody',
  hint: "Take it out",
};

const KINDS = [
  { code: "not-json", summary: "The file is not JSON" },
  { code: "unused-scope", summary: "No rule uses a declared scope" },
];

Deno.test("toText() prints a caret below the place", () => {
  const [, line = "", caret = ""] = toText([{ ...finding, message: "M" }], createPaint(false))
    .split("\n");
  assertEquals(line.slice(caret.indexOf("^"), caret.lastIndexOf("^") + 1), '"a.read"');
  assertEquals(caret, "    |     ^^^^^^^^ Take it out");
});

Deno.test("toText() uses colours only if they are on", () => {
  assert(!toText([finding], createPaint(false)).includes("\x1b"));
  assert(toText([finding], createPaint(true)).includes("\x1b[31m"));
});

Deno.test("toSarif() writes SARIF 2.1.0 with the place of each result", () => {
  const { version, runs: [run] } = JSON.parse(toSarif([finding], KINDS));
  assertEquals(version, "2.1.0");
  assertEquals(run.tool.driver.rules.map(({ id }: { id: string }) => id), [
    "not-json",
    "unused-scope",
  ]);
  for (const rule of run.tool.driver.rules) {
    assertEquals(Object.keys(rule), ["id", "shortDescription", "help"]);
    assert(rule.shortDescription.text.endsWith(".") && rule.help.text.includes(`"${rule.id}"`));
  }
  const [result] = run.results;
  assertEquals([result.ruleId, result.ruleIndex, result.level], ["unused-scope", 1, "error"]);
  assertEquals(result.locations[0].physicalLocation, {
    artifactLocation: { uri: "policy/scopes.json" },
    region: { startLine: 4, startColumn: 5, endColumn: 13 },
  });
});

Deno.test("toJunit() writes a case for each rule, and fails those with findings", () => {
  const text = toJunit([finding], KINDS);
  assert(text.includes('<testsuite name="policy check" tests="2" failures="1">'));
  assert(text.includes('<testcase classname="policy" name="not-json"/>'));
  assert(text.includes("&lt;used&gt; by 100% nothing&#10;&amp; nobody"));
  assert(!text.includes("<used>"));
});

Deno.test("toAnnotations() escapes GitHub's special characters", () => {
  assertEquals(
    toAnnotations([{ ...finding, file: "a,b:c.json" }]),
    '::error file=a%2Cb%3Ac.json,line=4,col=5,endColumn=13,title=unused-scope::Scope "a,b:c" is <used> by 100%25 nothing%0A& nobody. Take it out\n',
  );
});

Deno.test("toJson() writes the findings as they are", () => {
  assertEquals(JSON.parse(toJson([finding])), { findings: [finding] });
});

const report = {
  effect: "wider",
  changes: [
    { kind: "call", name: "GET /a", state: "changed", gains: [[], ["x"]], losses: [] },
    { kind: "field", name: "t.x", state: "removed", gains: [[]], losses: [["y", "z"]] },
  ],
  guards: [{ kind: "safe", state: "added", safe: "POST /v2/x" }],
  open: { changes: [], guards: [] },
  approvals: [
    { file: "x.json", owner: "@api", state: "applies", until: "2026-12-31", unneeded: [] },
  ],
  before: "0123456789abcdef",
  after: "fedcba9876543210",
  notes: new Map([["GET /a", { owner: "@api", because: "It | is <b>so</b>" }]]),
  rules: new Map([
    ["GET /a", { before: [["y"]], after: [[]] }],
    ["t.x", { before: [["y", "z"]], after: undefined }],
  ]),
  clients: undefined,
} as const;

const HOSTILE = "a`b|c\n@team <img>\u001b[31m";

const clients: ClientReport = {
  effects: [
    {
      client: HOSTILE,
      subject: null,
      kind: "call",
      name: "GET /a",
      effect: "gain",
      sets: [[]],
      calls: 0,
      last: "",
      all: { calls: 7, last: "2026-11-30T10:00:00Z" },
    },
    {
      client: "ci-bot",
      subject: null,
      kind: "field",
      name: "t.x",
      effect: "loss",
      sets: [["y", "z"]],
      calls: 1,
      last: "2026-11-29T10:00:00Z",
      all: { calls: 42, last: "2026-11-30T10:00:00Z" },
    },
  ],
  stats: { decisions: 49, unreadable: [3] },
};

Deno.test("changesToComment() writes one comment for a pull request", () => {
  assertEquals(
    changesToComment({ ...report, page: undefined, curls: [] }),
    `### Policy

**This change opens 1 call and 1 field, closes 1 field and drops or weakens 1 guard.**

| call or field | rule before | rule after | smallest tokens that gain it | smallest tokens that lose it |
| --- | --- | --- | --- | --- |
| \`GET /a\`<br>@\u200bapi: It \\| is \\<b\\>so\\</b\\> | y | everyone, without a token | everyone, without a token<br>x | – |
| \`t.x\` (removed) | y + z | no rule: everyone | everyone | y + z |

Guards that this change drops or weakens:

- ⚠ call now counts as reading: POST /v2/x

Everything is approved by @\u200bapi until 2026-12-31

\`0123456789ab\` → \`fedcba987654\`
`,
  );
});

Deno.test("changesToComment() names the clients of a log first, and a link and commands last", () => {
  const text = changesToComment({
    ...report,
    clients,
    curls: ["curl x", "curl y"],
    page: "https://ci.example/page (1).html",
  });
  const [, , sentence, , ...rest] = text.split("\n");
  assertEquals(
    sentence,
    "**This change opens 1 call and 1 field for a\\`b\\|c�@\u200bteam \\<img\\>�\\[31m, closes 1 field for ci-bot (used once) and drops or weakens 1 guard.**",
  );
  assertEquals(rest.slice(0, 6), [
    "| client | gains | loses |",
    "| --- | --- | --- |",
    "| `ci-bot`, 42 calls, last on 2026-11-30 | – | `t.x`: made calls that can show it once, last on 2026-11-29 |",
    "| `a'b\\|c�@team <img>�[31m`, 7 calls, last on 2026-11-30 | `GET /a`: never called it, last seen on 2026-11-30 | – |",
    "",
    "From the decision log: 49 decisions read, 1 line could not be read: 3.",
  ]);
  assert(text.includes("<summary>Try each gain</summary>\n\n```sh\ncurl x\n\ncurl y\n```\n"));
  assert(text.endsWith(
    "[Page of this change](https://ci.example/page%20(1).html) · `0123456789ab` → `fedcba987654`\n",
  ));
});

Deno.test("changesToComment() says that nothing changes, and that nobody is affected", () => {
  const same = { ...report, effect: "same", changes: [], guards: [] } as const;
  const text = changesToComment({ ...same, curls: [], page: undefined });
  assert(text.startsWith("### Policy\n\n**This change decides every call as before.**\n"));
  const nobody = { ...clients, effects: [] };
  assert(
    changesToComment({ ...report, clients: nobody, curls: [], page: undefined })
      .includes("\n\nNo client of the log gains or loses anything (49 decisions read"),
  );
});

Deno.test("changesToComment() stays below the limit of a comment, however large the change", () => {
  const name = (index: number) => `GET /v2/${"a".repeat(60)}/${index}`;
  const gains = Array.from({ length: 500 }, (_, index) => ["a.read", `b${index}.read`]);
  const changes = Array.from({ length: 500 }, (_, index) => ({
    kind: "call" as const,
    name: name(index),
    state: "changed" as const,
    gains,
    losses: gains,
  }));
  const effects = changes.flatMap(({ name }, index) => ({
    client: `client ${index % 100}`,
    subject: null,
    kind: "call" as const,
    name,
    effect: "gain" as const,
    sets: gains,
    calls: 1,
    last: "2026-11-29T10:00:00Z",
    all: { calls: 42, last: "2026-11-30T10:00:00Z" },
  }));
  const text = changesToComment({
    ...report,
    changes,
    clients: { ...clients, effects },
    page: undefined,
    rules: new Map(changes.map((one) => [one.name, { before: gains, after: gains }])),
    guards: Array.from({ length: 500 }, () => report.guards[0]),
    curls: Array.from({ length: 500 }, () => `curl ${"x".repeat(200)}`),
  });
  assert(text.length < 65_536, `${text.length}`);
  assert(text.includes("and 470 more"));
});

Deno.test("changesToText() says when nothing changes", () => {
  const same = { ...report, effect: "same", changes: [], guards: [] } as const;
  assertEquals(changesToText(same, createPaint(false)), "Both policies make the same decisions\n");
});

Deno.test("sentenceOf() reads as a sentence", () => {
  assertEquals(
    sentenceOf({
      name: "x",
      tokens: { only: ["*.read"], with: ["a.read"], without: ["b.read"] },
      cannotCall: ["writes", "GET /x"],
      canSee: ["t.y"],
      except: ["*"],
    }),
    "Tokens with only *.read with a.read without b.read cannot call anything that writes, GET /x, see t.y, except anything",
  );
  assertEquals(
    sentenceOf({ name: "x", tokens: {}, canCall: ["reads"] }),
    "All tokens can call anything that reads",
  );
});
