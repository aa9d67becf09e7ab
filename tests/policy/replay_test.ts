import fc from "fast-check";
import { command } from "../../src/cli/policy/commands/replay.ts";
import { type DecisionLogStats, readDecisions } from "../../src/policy/analysis/decisions.ts";
import { createReplay } from "../../src/policy/analysis/replay.ts";
import { assert, assertEquals } from "../assert.ts";
import { logLine, logs, runOnLog } from "./logged.ts";
import { FIELDS, fulfils, sees, smallPolicies } from "./small.ts";

const NEW = "policy/scopes.json";

Deno.test("createReplay() finds exactly the calls that the new rules decide differently", () => {
  fc.assert(
    fc.property(smallPolicies, logs, (policy, log) => {
      const replay = createReplay(policy);
      for (const decision of log) replay.add(decision);
      const found = replay.flips().flatMap(({ route, effect, clients }) =>
        clients.map(({ subject, calls }) => JSON.stringify([route, effect, subject, calls]))
      );
      // Flips of one route can differ in what is missing.
      const sums = new Map<string, number>();
      for (const one of found) {
        const [route, effect, subject, calls] = JSON.parse(one);
        const key = JSON.stringify([route, effect, subject]);
        sums.set(key, (sums.get(key) ?? 0) + calls);
      }
      const expected = new Map<string, number>();
      for (const { route, effect, subject, scopes } of log) {
        const now = fulfils(policy.routes.get(route), new Set(scopes)) ? "allow" : "deny";
        if (now === effect) continue;
        const key = JSON.stringify([route, now, subject]);
        expected.set(key, (expected.get(key) ?? 0) + 1);
      }
      assertEquals(new Map([...sums].sort()), new Map([...expected].sort()));
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("replay lists the changed decisions with clients, counts and times", async () => {
  const later = "2026-02-03T04:05:06.789Z";
  const text = [
    logLine({}),
    logLine({ scopes: [] }),
    logLine({ scopes: [], time: later }),
    logLine({ scopes: [], subject: "2".repeat(16) }),
    logLine({ effect: "deny", subject: null, route: "GET /v2/openapi.json", scopes: [] }),
  ].join("");
  const { code, out } = await runOnLog(command, { args: ["LOG", NEW], text });
  assertEquals(code, 3);
  assertEquals(
    out,
    `deny   GET /v2/pages/:page_id  lacks pages.read
       user 1111111111111111  2 calls  2026-01-02T03:04:05.678Z to ${later}
       user 2222222222222222  1 call  2026-01-02T03:04:05.678Z

allow  GET /v2/openapi.json
       without a token  1 call  2026-01-02T03:04:05.678Z

5 decisions read
4 calls would be decided differently
`,
  );
  const { out: json } = await runOnLog(command, {
    args: ["LOG", NEW, "--format", "json"],
    text,
  });
  const { decisions, unreadable, flips } = JSON.parse(json);
  assertEquals([decisions, unreadable, flips.length], [5, [], 2]);
  assertEquals(flips[0].missing, [["pages.read"]]);
});

Deno.test("replay exits with 0 if no decision changes, even if the last line is incomplete", async () => {
  const line = logLine({});
  for (let end = 0; end <= line.length; end++) {
    const { code, out } = await runOnLog(command, {
      args: ["LOG", NEW],
      text: logLine({}) + line.slice(0, end),
    });
    // All but the line's end is a whole decision.
    const read = end < line.length - 1 ? "1 decision" : "2 decisions";
    assertEquals({ code, out }, {
      code: 0,
      out: `${read} read\nNo call would be decided differently\n`,
    });
  }
});

Deno.test("replay reports unreadable lines before the last one", async () => {
  const broken = [
    ...['{"half', "[]", '{"route":"GET /a"}', "null"],
    logLine({}).replace('"allow"', '"perhaps"').trimEnd(),
  ];
  const text = `${logLine({})}\n${broken.join("\n")}\n${logLine({})}`;
  const { code, out } = await runOnLog(command, { args: ["LOG", NEW], text });
  assertEquals(code, 3);
  assertEquals(
    out,
    "2 decisions read\n5 lines could not be read: 3, 4, 5, 6, 7\nNo call would be decided differently\n",
  );
});

Deno.test("readDecisions() holds one line at a time, however long the log", async () => {
  let given = 0;
  let read = 0;
  async function* lines(): AsyncGenerator<string> {
    for (; given < 200_000; given++) {
      assert(given - read <= 1, "it reads ahead");
      yield logLine({}).trimEnd();
    }
  }
  const reading: DecisionLogStats = { decisions: 0, unreadable: [] };
  for await (const _ of readDecisions(lines(), reading)) read++;
  assertEquals([reading.decisions, read], [200_000, 200_000]);
});

Deno.test("replay names a missing file", async () => {
  let message = "";
  try {
    await runOnLog(command, { args: ["nowhere.jsonl", NEW], text: "" });
  } catch (error) {
    message = String(error);
  }
  assertEquals(message, "UsageError: No such file: nowhere.jsonl");
});

Deno.test("replay reads standard input, so that no permission for the log is needed", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--allow-read=policy,spec", "tests/policy/replay_main.ts"],
      ...["-", NEW],
    ],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(logLine({ scopes: [] })));
  await writer.close();
  const { code, stdout } = await child.output();
  assertEquals(code, 3);
  assert(new TextDecoder().decode(stdout).includes("1 call would be decided differently"));
});

Deno.test("createReplay() finds exactly the tokens that see a field differently", () => {
  const withHidden = fc.tuple(smallPolicies, smallPolicies, logs);
  fc.assert(
    fc.property(withHidden, ([before, after, log]) => {
      const replay = createReplay(after);
      const expected = new Map<string, number>();
      for (const one of log) {
        const held = new Set(one.scopes);
        const hidden = [...before.fields.keys()].filter((field) => !sees(before, field, held));
        replay.add({ ...one, hidden });
        const isAllowed = one.effect === "allow" && fulfils(after.routes.get(one.route), held);
        if (!isAllowed || one.subject === null) continue;
        for (const field of FIELDS) {
          if (sees(before, field, held) === sees(after, field, held)) continue;
          const effect = sees(after, field, held) ? "show" : "hide";
          const key = JSON.stringify([field, effect, one.subject]);
          expected.set(key, (expected.get(key) ?? 0) + 1);
        }
      }
      const found = replay.fieldFlips().flatMap(({ field, effect, clients }) =>
        clients.map(({ subject, calls }) =>
          [JSON.stringify([field, effect, subject]), calls] as const
        )
      );
      assertEquals(new Map(found.sort()), new Map([...expected].sort()));
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("replay tells which clients would see a field", async () => {
  const text = [
    logLine({ client: "crm", hidden: ["user.person.email"] }),
    logLine({
      client: "crm",
      hidden: ["user.person.email"],
      scopes: ["pages.read", "users.email.read"],
    }),
    logLine({ scopes: ["pages.read", "users.email.read"], hidden: [] }),
  ].join("");
  const { code, out } = await runOnLog(command, { args: ["LOG", NEW], text });
  assertEquals(code, 3);
  assertEquals(
    out,
    `show   user.person.email
       crm  1 call  2026-01-02T03:04:05.678Z

3 decisions read
No call would be decided differently
1 field would be seen differently
`,
  );
});
