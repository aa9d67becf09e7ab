import { routeName } from "../../src/http/endpoint.ts";
import { unbuiltEndpoints } from "../../src/api/unbuilt.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import { createEngine } from "../../src/policy/engine.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { ALL_SCOPES, withApp } from "../support/app.ts";
import { refusal, UNKNOWN } from "./driver.ts";

const engine = createEngine(parsePolicy(await Deno.readTextFile("policy/scopes.json")));

for (const endpoint of unbuiltEndpoints) {
  const name = routeName(endpoint);
  const route = name.replace(/:\w+/, UNKNOWN);
  const body = endpoint.method === "POST" ? {} : undefined;
  const rule = engine.rule(name);
  const required = rule?.decide(engine.grant(new Set())).required[0] ?? [];

  Deno.test(`${name} is authorized like any route, and then not implemented`, () =>
    withApp(async ({ call, mint }) => {
      assert(required.length > 0);
      const enough = await call(route, { body, token: await mint({ scope: required.join(" ") }) });
      assertEquals(refusal(enough), [501, "not_implemented"]);

      for (const lacking of required) {
        const scope = ALL_SCOPES.split(" ").filter((scope) => scope !== lacking).join(" ");
        const refused = await call(route, { body, token: await mint({ scope }) });
        assertEquals(refusal(refused), [403, "forbidden"]);
        assertEquals(refused.json.missing_scopes, [lacking]);
        assertEquals(refused.json.required_scopes, required);
      }

      const nobody = await call(route, { body, token: null });
      assertEquals(refusal(nobody), [401, "unauthorized"]);
      assertMatch(nobody.headers.get("www-authenticate") ?? "", /^Bearer realm="recto"/);
      assertEquals(refusal(await call(route, { body, token: "broken" })), [401, "unauthorized"]);
    }));
}
