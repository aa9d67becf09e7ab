import { digestOf } from "../../src/policy/digest.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { UNKNOWN } from "../security/support.ts";
import { BLOCK, type LiveApp, PAGE, policyText, textsOf, withLiveApp } from "./support.ts";

const CANDIDATE = "candidate.json";

/** Asks more of pages, less of blocks, and closes the document. */
const tried = policyText(({ routes }) => {
  routes[PAGE] = ["pages.read", "blocks.read"];
  routes[BLOCK] = { anyOf: [["blocks.read"], ["pages.read"]] };
  routes["GET /v2/openapi.json"] = ["search.read"];
});
const digest = digestOf(parsePolicy(tried));

async function propose({ folderOf, reload }: Tried, text: string): Promise<void> {
  await Deno.writeTextFile(`${folderOf}/${CANDIDATE}`, text);
  await reload();
}

interface Tried extends LiveApp {
  readonly folderOf: string;
}

function withCandidate(test: (app: Tried) => Promise<void>): Promise<void> {
  return withLiveApp(async (app) => {
    await test({ ...app, folderOf: app.paths.policy.replace(/\/[^/]+$/, "") });
  }, { candidate: CANDIDATE });
}

/** The samples of the candidate that are not 0, without its digest, in alphabetical order. */
async function counted({ call }: LiveApp): Promise<string[]> {
  const { text } = await call("GET /metrics", { token: null });
  return text.split("\n")
    .filter((line) => line.startsWith("recto_policy_candidate_") && !line.endsWith(" 0"))
    .map((line) => line.replace("recto_policy_candidate_", "").replace(`digest="${digest}"`, ""))
    .sort();
}

Deno.test("a candidate counts its differences by route, and has no effect", () =>
  withCandidate(async (app) => {
    await propose(app, tried);
    const token = await app.mint({ scope: "pages.read" });
    const statuses = [];
    for (const path of ["pages", "pages", "blocks"]) {
      statuses.push((await app.call(`GET /v2/${path}/${UNKNOWN}`, { token })).status);
    }
    statuses.push((await app.call(`GET /v2/blocks/${UNKNOWN}`)).status);
    statuses.push((await app.call("GET /v2/openapi.json", { token: null })).status);
    assertEquals(statuses, [404, 404, 403, 404, 200]);
    assertEquals(await counted(app), [
      `differs_total{,route="${BLOCK}",would="allow"} 1`,
      'differs_total{,route="GET /v2/openapi.json",would="deny"} 1',
      `differs_total{,route="${PAGE}",would="deny"} 2`,
      "judged_total{} 5",
    ]);
    const told = app.events().filter(({ message }) => /would/.test(String(message)));
    assertEquals(told.map(({ message, route, missing }) => [message, route, missing]), [
      ["Candidate policy would deny a call that the active one does not", PAGE, [["blocks.read"]]],
      ["Candidate policy would allow a call that the active one does not", BLOCK, undefined],
      [
        "Candidate policy would deny a call that the active one does not",
        "GET /v2/openapi.json",
        [["search.read"]],
      ],
    ]);
  }));

Deno.test("a candidate counts the tokens that would see a field, once a call", () =>
  withCandidate(async (app) => {
    await propose(
      app,
      policyText(({ fields }) => {
        fields["user.person.email"] = { anyOf: [["users.email.read"], ["users.read"]] };
      }),
    );
    const tokens = ["users.read", "users.read users.email.read", "pages.read"];
    for (const scope of tokens) {
      await app.call("GET /v2/users/me", { token: await app.mint({ scope }) });
    }
    const { text } = await app.call("GET /metrics", { token: null });
    const samples = text.split("\n").filter((line) =>
      line.includes("candidate_field_differs_total{")
    );
    assertEquals(samples.map((line) => line.replace(/digest="\w+",/, "")), [
      'recto_policy_candidate_field_differs_total{field="user.person.email",would="show"} 1',
      'recto_policy_candidate_field_differs_total{field="user.person.email",would="hide"} 0',
    ]);
    const told = app.events().filter(({ message }) => /would show a field/.test(String(message)));
    assertEquals(told.map(({ field }) => field), ["user.person.email"]);
  }));

Deno.test("a candidate that equals the active policy never differs", () =>
  withCandidate(async (app) => {
    await propose(app, policyText());
    for (const scope of ["", "pages.read", "blocks.read"]) {
      await app.call(`GET /v2/pages/${UNKNOWN}`, { token: await app.mint({ scope }) });
    }
    assertEquals((await counted(app)).map((line) => line.replace(/\{.*\}/, "")), [
      "judged_total 3",
    ]);
  }));

for (
  const [what, text, reason] of [
    ["missing", undefined, "cannot be read"],
    ["half written", tried.slice(0, 400), "is not JSON"],
    [
      "of other routes",
      policyText(({ routes }) => routes["GET /v2/x"] = "public"),
      "has no endpoint",
    ],
  ] as const
) {
  Deno.test(`a candidate that is ${what} is said to be ignored, and no other is judged`, () =>
    withCandidate(async (app) => {
      await propose(app, tried);
      if (text === undefined) {
        await Deno.remove(`${app.folderOf}/${CANDIDATE}`);
        await app.reload();
      } else await propose(app, text);
      await app.call(`GET /v2/pages/${UNKNOWN}`);
      assertEquals(await counted(app), []);
      const ignored = app.events().filter(({ message }) => message === "Candidate policy ignored");
      assertEquals(ignored[0]?.level, "error");
      assertStringIncludes(String(ignored.at(-1)?.faults), reason);
    }));
}

Deno.test("a candidate starts again with each active policy, and its result is logged", () =>
  withCandidate(async (app) => {
    await propose(app, tried);
    const call = async () =>
      app.call(`GET /v2/pages/${UNKNOWN}`, { token: await app.mint({ scope: "pages.read" }) });
    await call();
    await app.write(await textsOf(tried));
    assertEquals(await app.reload(), "adopted");
    assertEquals((await call()).status, 403);
    assertEquals(await counted(app), ["judged_total{} 1"]);
    app.app.policies.setShadow(undefined);
    const ends = app.events().filter(({ message }) => message === "Candidate policy evaluated");
    assertEquals(ends.map(({ candidate, judged, differs }) => ({ candidate, judged, differs })), [
      { candidate: digest, judged: 1, differs: { [PAGE]: { allow: 0, deny: 1 } } },
      { candidate: digest, judged: 1, differs: {} },
    ]);
    assertEquals(await counted(app), []);
  }));

Deno.test("every sample of the metrics has the format of Prometheus", () =>
  withCandidate(async (app) => {
    await propose(app, tried);
    const answer = await app.call("GET /metrics", { token: null });
    assertEquals(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    const lines = answer.text.split("\n");
    assertEquals(lines.pop(), "");
    assert(lines.length > 40);
    for (const line of lines) {
      assertMatch(
        line,
        /^(?:# (?:HELP|TYPE) (?:recto|process)_[a-z_]+ .+|(?:recto|process)_[a-z_]+(?:\{[a-z_]+="[^"\\]*"(?:,[a-z_]+="[^"\\]*")*\})? \d+(?:\.\d+)?(?:e-\d+)?)$/,
      );
    }
  }));
