import fc from "fast-check";
import { command } from "../../src/cli/policy/commands/least_privilege.ts";
import type { LoggedDecision } from "../../src/policy/analysis/decisions.ts";
import {
  type ClientNeeds,
  createLeastPrivilege,
} from "../../src/policy/analysis/least_privilege.ts";
import type { Policy } from "../../src/policy/schema.ts";
import { assertEquals } from "../assert.ts";
import { logLine, logs, runOnLog } from "./logged.ts";
import { fulfils, inOrder, sees, smallest, smallPolicies, TOKENS } from "./small.ts";

function clientsOf(policy: Policy, log: readonly LoggedDecision[]): ClientNeeds[] {
  const gathering = createLeastPrivilege(policy);
  for (const decision of log) gathering.add(decision);
  return gathering.clients();
}

/** Returns the facts about a client, found by trying every token that its scopes could make. */
function tryAll(
  policy: Policy,
  calls: readonly LoggedDecision[],
): Pick<ClientNeeds, "needed" | "unneeded" | "showing" | "refused"> {
  const held = new Set(calls.flatMap(({ scopes }) => scopes));
  const routes = [...new Set(calls.map(({ route }) => route))].sort();
  const opens = (token: ReadonlySet<string>) => (route: string) =>
    fulfils(policy.routes.get(route), token);
  const open = routes.filter(opens(held));
  const enough = (token: ReadonlySet<string>) => token.isSubsetOf(held) && open.every(opens(token));
  const tokens = TOKENS.filter(enough);
  const without = (token: ReadonlySet<string>, scope: string) => token.difference(new Set([scope]));
  const opening = (scope: string) => tokens.some((token) => !enough(without(token, scope)));
  const fieldsOf = (scope: string) =>
    [...policy.fields.keys()].filter((field) =>
      tokens.some((token) => {
        const fewer = without(token, scope);
        return enough(fewer) && sees(policy, field, token) && !sees(policy, field, fewer);
      })
    );
  const rest = [...held].sort()
    .filter((scope) => !scope.startsWith("acr:") && !opening(scope));
  return {
    needed: smallest(enough),
    unneeded: rest.filter((scope) => fieldsOf(scope).length === 0),
    showing: rest.map((scope) => ({ scope, fields: fieldsOf(scope) }))
      .filter(({ fields }) => fields.length > 0),
    refused: routes.filter((route) => !opens(held)(route)),
  };
}

Deno.test("createLeastPrivilege() agrees with trying every token, for random policies and logs", () => {
  fc.assert(
    fc.property(smallPolicies, logs, (policy, log) => {
      const clients = clientsOf(policy, log);
      const allowed = log.filter(({ subject, effect }) => subject !== null && effect === "allow");
      assertEquals(
        clients.map(({ subject }) => subject),
        [...new Set(allowed.flatMap(({ subject }) => subject ?? []))],
      );
      for (const { subject, calls, needed, unneeded, showing, refused } of clients) {
        const own = allowed.filter((decision) => decision.subject === subject);
        assertEquals(calls, own.length);
        assertEquals(
          { needed: inOrder(needed), unneeded, showing, refused },
          tryAll(policy, own),
        );
      }
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("least-privilege lists for each client what it needs, never needed, and only shows", async () => {
  const other = { subject: "2".repeat(16) };
  const text = [
    logLine({ scopes: ["pages.read", "pages.write", "search.read"] }),
    logLine({ scopes: ["pages.read"], time: "2026-02-03T04:05:06.789Z" }),
    logLine({ effect: "deny", route: "POST /v2/pages", scopes: ["pages.read"] }),
    logLine({
      ...other,
      route: "GET /v2/users/:user_id",
      scopes: ["users.read", "users.email.read"],
    }),
    logLine({ ...other, route: "GET /v2/gone", scopes: ["users.read"] }),
    logLine({ subject: null, route: "GET /v2/openapi.json", scopes: [] }),
  ].join("");
  const { code, out } = await runOnLog(command, { args: ["LOG"], text });
  assertEquals(code, 3);
  assertEquals(
    out,
    `user 1111111111111111  2 calls  2026-01-02T03:04:05.678Z to 2026-02-03T04:05:06.789Z
  needs   pages.read
  remove  pages.write, search.read

user 2222222222222222  2 calls  2026-01-02T03:04:05.678Z to 2026-01-02T03:04:05.678Z
  needs   users.read
  shows   users.email.read alone shows user.person.email
  denied  GET /v2/gone

6 decisions read
1 of 2 clients had scopes that no call needed
`,
  );
});

Deno.test("least-privilege exits with 0 if clients need all their scopes", async () => {
  const { code, out } = await runOnLog(command, {
    args: ["LOG", "--format", "json"],
    text: logLine({}),
  });
  assertEquals(code, 0);
  const { clients } = JSON.parse(out);
  assertEquals(clients[0].needed, [["pages.read"]]);
});

Deno.test("least-privilege tells the clients of one user apart", async () => {
  const text = [
    logLine({ client: "zapier", scopes: ["pages.read", "pages.write"] }),
    logLine({ client: "etl", scopes: ["pages.read"] }),
    logLine({ client: "zapier", subject: "2".repeat(16), scopes: ["pages.read"] }),
  ].join("");
  const { out } = await runOnLog(command, { args: ["LOG"], text });
  assertEquals(out.match(/^(?:zapier|etl) .*|^ {2}(?:needs|remove).*/gm), [
    "zapier  2 calls  2026-01-02T03:04:05.678Z to 2026-01-02T03:04:05.678Z",
    "  needs   pages.read",
    "  remove  pages.write",
    "etl  1 call  2026-01-02T03:04:05.678Z to 2026-01-02T03:04:05.678Z",
    "  needs   pages.read",
  ]);
});
