import { parseRequestLine } from "../../src/policy/analysis/request_line.ts";
import type { Change } from "../../src/policy/analysis/diff.ts";
import { normalize } from "../../src/policy/analysis/normal.ts";
import { findRoutesShowing } from "../../src/policy/document.ts";
import { isRead } from "../../src/policy/analysis/invariants.ts";
import { curlsFor } from "../../src/policy/report/curl.ts";
import { parsePolicyFile, type PolicyFile } from "../../src/policy/schema.ts";
import { assert, assertEquals } from "../assert.ts";
import { ORIGIN, withApp } from "../support/app.ts";

const read = (path: string): string =>
  Deno.readTextFileSync(new URL(`../../${path}`, import.meta.url));
const file: PolicyFile = parsePolicyFile(read("policy/scopes.json"));
const document: unknown = JSON.parse(read("spec/openapi.json"));
const after = normalize(file.policy);

function curlsOf(changes: readonly Change[]): string[] {
  return curlsFor(changes, {
    after,
    url: "http://localhost:8000",
    routesShowing: (field) => findRoutesShowing(field, document),
  });
}

/** Every rule of the policy, as if nobody had met it before. */
function allGains(): Change[] {
  const toChange =
    (kind: Change["kind"]) => ([name, formula]: [string, typeof FORMULA]): Change => ({
      kind,
      name,
      state: "added",
      losses: [],
      gains: formula.map((set) => [...set]),
    });
  return [...[...after.routes].map(toChange("call")), ...[...after.fields].map(toChange("field"))];
}
const FORMULA = [...after.routes.values()][0] ?? [];

Deno.test("each command of the comment is let through by the policy, and changes nothing", () =>
  withApp(async ({ send, mint }) => {
    const gains = allGains();
    const curls = curlsOf(gains);
    assertEquals(curls.length, gains.flatMap((change) => change.gains).length);
    for (const command of curls) {
      const [, line = ""] = command.split("\n");
      const [method = "", path] = parseRequestLine([line]).call.split(" ");
      const scope = /--scope '([^']*)'/.exec(line)?.[1];
      const acr = /--acr (\S+?)\)/.exec(line)?.[1];
      const body = /-d '([^']*)'/.exec(line)?.[1];
      const headers = new Headers({ "content-type": "application/json" });
      if (scope !== undefined) {
        headers.set("authorization", `Bearer ${await mint({ scope, ...acr && { acr } })}`);
      }
      const init = { method, headers, ...body !== undefined && { body } };
      const { status } = await send(new Request(ORIGIN + path, init));
      assert(![401, 403].includes(status), `${status} ${line}`);
      const route = /^# (\w+ \S+):/.exec(command)?.[1];
      const reads = route === undefined || isRead(route, file.safe);
      if (!reads) assert(status === 400 || status === 404, `${status} ${line}`);
    }
  }));

Deno.test("a command asks for a token with the acr value of the rule, quoted for the shell", () => {
  const gains = [["acr:it's", "pages.write"]];
  const [command = ""] = curlsOf([
    { kind: "call", name: "DELETE /v2/pages/:page_id", state: "changed", gains, losses: [] },
  ]);
  assert(command.includes(`--scope 'pages.write' --acr 'it'\\''s')`), command);
});

Deno.test("a route with a wildcard or a regular expression has no command", () => {
  const changeOf = (name: string): Change => ({
    kind: "call",
    name,
    state: "added",
    gains: [["pages.read"]],
    losses: [],
  });
  assertEquals(curlsOf(["GET /files/*", "GET /a/:id(\\d+)", "GET /a{/b}?"].map(changeOf)), []);
  assertEquals(curlsOf([changeOf("PUT /orders/:id")]).length, 1);
});
