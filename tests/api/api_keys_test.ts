import { generateApiKey, hashApiKey } from "../../src/auth/api_key_format.ts";
import { apiKeyPseudonym } from "../../src/auth/api_keys.ts";
import type { NewApiKey } from "../../src/store/port.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { ALL_SCOPES, type Answer, type TestApp, withApp } from "../support/app.ts";
import { newPage, paragraph, refusal, succeed, text } from "./driver.ts";

const HOUR = 3_600_000;

interface KeyOptions extends Partial<NewApiKey> {
  readonly workspace?: string;
}

/** Adds a key, by default with all scopes, and returns its secret. */
async function addKey({ store }: TestApp, options: KeyOptions = {}): Promise<string> {
  const { workspace = "default", ...rest } = options;
  const secret = generateApiKey();
  const key: NewApiKey = {
    id: crypto.randomUUID(),
    name: "n8n",
    scopes: ALL_SCOPES.split(" "),
    createdTime: 0,
    expiresTime: null,
    ...rest,
  };
  await store.addApiKey(workspace, key, hashApiKey(secret));
  return secret;
}

/** The sentence of a 401. */
function sentence(answer: Answer): string {
  assertEquals(refusal(answer), [401, "unauthorized"]);
  return answer.json.detail;
}

Deno.test("an API key is a bot that others see", () =>
  withApp(async (app) => {
    const id = crypto.randomUUID();
    const token = await addKey(app, { id, name: "n8n ünïcode" });
    const me = await succeed(app, "GET /v2/users/me", { token });
    assertEquals([me.id, me.type, me.name], [id, "bot", "n8n ünïcode"]);
    assertEquals(me.bot.owner, { type: "workspace", workspace: true });
    const page = await newPage(app, { token });
    const { created_by } = await succeed(app, `GET /v2/pages/${page}`);
    assertEquals(created_by.id, id);
    const seen = await succeed(app, `GET /v2/users/${id}`);
    assertEquals([seen.type, seen.name, seen.bot], ["bot", "n8n ünïcode", {}]);
  }));

Deno.test("an API key works with a remote issuer too, unless RECTO_API_KEYS is false", async () => {
  const issuer = {
    RECTO_AUTH_ISSUER: "https://issuer.test",
    RECTO_AUTH_AUDIENCE: "recto",
    RECTO_AUTH_INTROSPECTION_URL: "https://issuer.test/introspect",
    RECTO_AUTH_CLIENT_ID: "recto",
    RECTO_AUTH_CLIENT_SECRET: "secret",
  };
  for (const RECTO_API_KEYS of ["true", "false"]) {
    await withApp(async (app) => {
      const answer = await app.call("GET /v2/users/me", { token: await addKey(app) });
      if (RECTO_API_KEYS === "true") assertEquals(answer.status, 200);
      else assertStringIncludes(sentence(answer), "does not accept API keys");
    }, { environment: { ...issuer, RECTO_API_KEYS } });
  }
});

Deno.test("an API key lacks what its scopes do not name, fields included", () =>
  withApp(async (app) => {
    const token = await addKey(app, { scopes: ["pages.read", "users.read"] });
    const refused = await app.call("POST /v2/pages", {
      token,
      body: { parent: { workspace: true }, properties: { title: text("x") } },
    });
    assertEquals(refusal(refused), [403, "forbidden"]);
    assertEquals(refused.json.missing_scopes, ["pages.write"]);
    const ada = await app.mint({ sub: "ada", email: "ada@mail.test" });
    const { id } = await succeed(app, "GET /v2/users/me", { token: ada });
    const seen = await succeed(app, `GET /v2/users/${id}`, { token });
    assertEquals(seen.person, {});
  }));

Deno.test("an API key opens its own workspace and no other", () =>
  withApp(async (app) => {
    const [mine, theirs] = [
      await addKey(app, { workspace: "mine" }),
      await addKey(app, { workspace: "theirs" }),
    ];
    const page = await newPage(app, { token: theirs, children: [paragraph("secret plans")] });
    const { id: user } = await succeed(app, "GET /v2/users/me", { token: theirs });
    for (
      const path of [
        `GET /v2/pages/${page}`,
        `GET /v2/blocks/${page}/children`,
        `GET /v2/pages/${page}/content/markdown`,
        `DELETE /v2/pages/${page}`,
        `GET /v2/users/${user}`,
      ]
    ) {
      const answer = await app.call(path, { token: mine });
      assertEquals(refusal(answer), [404, "object_not_found"], path);
      assert(!answer.text.includes("secret plans"));
    }
    assertEquals((await app.call(`GET /v2/pages/${page}`, { token: theirs })).status, 200);
  }));

Deno.test("an API key has idempotency keys of its own, which outlive a rotation", () =>
  withApp(async (app) => {
    const id = crypto.randomUUID();
    const [first, other] = [await addKey(app, { id }), await addKey(app)];
    const body = { parent: { workspace: true }, properties: { title: text("Home") } };
    const create = (token: string) =>
      app.call("POST /v2/pages", { token, body, headers: { "idempotency-key": "one" } });
    const page = (await create(first)).json.id;
    assert((await create(other)).json.id !== page);
    const next = generateApiKey();
    await app.store.rotateApiKey("default", id, {
      hash: hashApiKey(next),
      now: 0,
      graceEnd: Date.now() + HOUR,
      expiresTime: null,
    });
    const replayed = await create(next);
    assertEquals([replayed.json.id, replayed.headers.get("idempotency-replayed")], [page, "true"]);
  }));

Deno.test("each API key has a rate limit of its own, with all of its secrets", () =>
  withApp(async (app) => {
    const id = crypto.randomUUID();
    const [first, other] = [await addKey(app, { id }), await addKey(app)];
    const next = generateApiKey();
    await app.store.rotateApiKey("default", id, {
      hash: hashApiKey(next),
      now: 0,
      graceEnd: Date.now() + HOUR,
      expiresTime: null,
    });
    const statuses = new Set<number>();
    for (let n = 0; n < 8; n++) {
      const token = n % 2 === 0 ? first : next;
      statuses.add((await app.call("GET /v2/users/me", { token })).status);
    }
    assertEquals(statuses, new Set([200, 429]));
    assertEquals((await app.call("GET /v2/users/me", { token: other })).status, 200);
  }, { environment: { RECTO_RATE_LIMIT: "1/s" } }));

Deno.test("the log names the caller of an API key by a pseudonym, and neither key nor name", () =>
  withApp(async (app) => {
    const id = crypto.randomUUID();
    const token = await addKey(app, { id, name: "SENTINEL" });
    await succeed(app, "GET /v2/users/me", { token });
    await app.call("GET /v2/users/me", { token: `${token.slice(0, -1)}_` });
    const [served, refused] = app.lines;
    assertMatch(String(served?.subject), /^[0-9a-f]{16}$/);
    assertEquals(served?.subject, apiKeyPseudonym(id));
    assertEquals(refused?.reason, "The API key is malformed: it was cut off or mistyped");
    for (const secret of ["SENTINEL", id, token.slice(6, 20), hashApiKey(token)]) {
      assert(!JSON.stringify(app.lines).includes(secret));
    }
  }));

Deno.test("a 401 says whether a key has expired, was revoked or replaced, and nothing of an unknown one", async () => {
  let clock = Date.now();
  await withApp(async (app) => {
    const [short, revoked, rotated] = [
      crypto.randomUUID(),
      crypto.randomUUID(),
      crypto.randomUUID(),
    ];
    const keys = {
      short: await addKey(app, { id: short, expiresTime: clock + HOUR }),
      revoked: await addKey(app, { id: revoked }),
      rotated: await addKey(app, { id: rotated }),
    };
    for (const token of Object.values(keys)) await succeed(app, "GET /v2/users/me", { token });
    await app.store.revokeApiKey("default", revoked, clock);
    await app.store.rotateApiKey("default", rotated, {
      hash: "0".repeat(64),
      now: clock,
      graceEnd: clock + HOUR,
      expiresTime: null,
    });
    clock += HOUR;
    const said = async (token: string) => sentence(await app.call("GET /v2/users/me", { token }));
    assertEquals(await said(keys.short), "The API key has expired.");
    assertEquals(await said(keys.revoked), "The API key was revoked.");
    assertStringIncludes(await said(keys.rotated), "was replaced by a rotation");
    assertStringIncludes(await said(keys.short.slice(0, -1)), "cut off or mistyped");
    assertEquals(await said(generateApiKey()), "The access token is invalid or has expired.");
  }, { now: () => clock });
});

Deno.test("the hour of the last use is written after the requests of an hour", async () => {
  let clock = Math.floor(Date.now() / HOUR) * HOUR;
  await withApp(async (app) => {
    const token = await addKey(app);
    const usedTime = async () => (await app.store.apiKeys())[0]?.usedTime;
    /** A use is written a second after the request. */
    const settled = async (expected: number) => {
      for (let attempt = 0; attempt < 100 && await usedTime() !== expected; attempt++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      assertEquals(await usedTime(), expected);
    };
    const start = clock;
    clock += 1_234_567;
    await succeed(app, "GET /v2/users/me", { token });
    await settled(start);
    clock += HOUR;
    await succeed(app, "GET /v2/users/me", { token });
    await settled(start + HOUR);
  }, { now: () => clock });
});
