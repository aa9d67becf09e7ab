import fc from "fast-check";
import { generateApiKey, hashApiKey } from "../../src/auth/api_key_format.ts";
import type { NewApiKey } from "../../src/store/port.ts";
import { assert, assertEquals } from "../assert.ts";
import { withServer } from "../auth/support.ts";
import { ALL_SCOPES, withApp } from "../support/app.ts";
import { withServer as withSocket } from "../support/socket.ts";
import { watchStore } from "../support/watched_store.ts";
import { lastRequest, outcome } from "./support.ts";

const KEY: NewApiKey = {
  id: "018f0000-0000-7000-8000-000000000001",
  name: "n8n",
  scopes: ALL_SCOPES.split(" "),
  createdTime: 0,
  expiresTime: null,
};
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

Deno.test("a key with any one character changed is refused without a look-up", async () => {
  const { store, calls } = watchStore();
  await withApp(async ({ call }) => {
    const token = generateApiKey();
    await store.addApiKey("default", KEY, hashApiKey(token));
    assertEquals(outcome(await call("GET /v2/users/me", { token })), "200");
    calls.length = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(43), fc.constantFrom(...ALPHABET, "-", "_", "."), async (at, one) => {
        const near = token.slice(0, at) + one + token.slice(at + 1);
        fc.pre(near !== token);
        assertEquals(outcome(await call("GET /v2/users/me", { token: near })), "401 unauthorized");
      }),
    );
    assertEquals(calls.filter((name) => name === "apiKey"), []);
  }, { store });
});

Deno.test("other keys with a right checksum are refused, however much they share with a good one", async () => {
  const hashes: string[] = [];
  const { store } = watchStore({
    apiKey: (hash) => {
      hashes.push(hash);
      return Promise.resolve(undefined);
    },
  });
  await withApp(async ({ call }) => {
    const keys = Array.from({ length: 20 }, generateApiKey);
    for (const token of keys) {
      assertEquals(outcome(await call("GET /v2/users/me", { token })), "401 unauthorized");
    }
    // What is compared in an index says nothing of a secret: it is the hash of all of it.
    assertEquals(hashes, keys.map(hashApiKey));
    const text = JSON.stringify(hashes);
    for (const key of keys) assert(!text.includes(key.slice(6, 12)));
  }, { store });
});

Deno.test("a key is not sent to the issuer, well-formed or not, and whether or not keys are accepted", async () => {
  for (const RECTO_API_KEYS of ["true", "false"]) {
    let asked = 0;
    const issuer = () => {
      asked++;
      return Response.json({ active: true, sub: "eve", aud: "recto", scope: ALL_SCOPES });
    };
    await withServer(issuer, (origin) =>
      withApp(async ({ call }) => {
        const key = generateApiKey();
        for (const token of [key, key.slice(0, -1), "recto_", key.toUpperCase(), `${key}=`]) {
          const answer = await call("GET /v2/users/me", { token });
          assertEquals(outcome(answer), "401 unauthorized", token);
        }
        assertEquals(asked, 0);
        assertEquals(outcome(await call("GET /v2/users/me", { token: "opaque" })), "200");
        assertEquals(asked, 1);
      }, {
        environment: {
          RECTO_API_KEYS,
          RECTO_AUTH_ISSUER: origin,
          RECTO_AUTH_AUDIENCE: "recto",
          RECTO_AUTH_INTROSPECTION_URL: `${origin}/introspect`,
          RECTO_AUTH_CLIENT_ID: "recto",
          RECTO_AUTH_CLIENT_SECRET: "secret",
        },
      }));
  }
});

Deno.test("no token can speak for a key: an issuer's subject with its ID is another user", () =>
  withApp(async ({ call, mint, store }) => {
    await store.addApiKey("default", KEY, hashApiKey(generateApiKey()));
    const token = await mint({ sub: KEY.id, name: KEY.name });
    const answer = await call("GET /v2/users/me", { token });
    assertEquals(answer.status, 200);
    assert(answer.json.id !== KEY.id);
  }));

Deno.test("a key is read from one Authorization field alone", () =>
  withApp(async ({ call, store }) => {
    const key = generateApiKey();
    await store.addApiKey("default", KEY, hashApiKey(key));
    for (const authorization of [`Basic ${key}`, key, `DPoP ${key}`, `Token ${key}`]) {
      const answer = await call("GET /v2/users/me", { token: null, headers: { authorization } });
      assertEquals(outcome(answer), "401 unauthorized", authorization);
    }
    for (const path of [`?access_token=${key}`, `?api_key=${key}`]) {
      const answer = await call(`GET /v2/users/me${path}`, { token: null });
      assert([400, 401].includes(answer.status), path);
    }
    for (
      const field of [`Bearer ${key}, Bearer ${key}`, `Bearer ${key} ${key}`, `Bearer ${key},`]
    ) {
      const answer = await call("GET /v2/users/me", {
        token: null,
        headers: { authorization: field },
      });
      assertEquals(outcome(answer), "400 invalid_request", field);
    }
  }));

Deno.test("two Authorization fields with a good key are refused", () =>
  withSocket(async ({ exchange, host, store }) => {
    const key = generateApiKey();
    await store.addApiKey("default", KEY, hashApiKey(key));
    const field = `Authorization: Bearer ${key}`;
    const send = async (...fields: string[]) => {
      const request = lastRequest("GET /v2/users/me HTTP/1.1", [`Host: ${host}`, ...fields]);
      return (await exchange(request)).map(outcome);
    };
    assertEquals(await send(field), ["200"]);
    assertEquals(await send(field, field), ["400 invalid_request"]);
    assertEquals(await send(field, "Authorization: Bearer x"), ["400 invalid_request"]);
  }));

Deno.test("a flood of invented keys is limited by address before any is looked up", async () => {
  const { store, calls } = watchStore();
  await withApp(async ({ app }) => {
    const connection = {
      remoteAddr: { transport: "tcp", hostname: "192.0.2.1", port: 1 },
      completed: Promise.resolve(),
    } as const;
    const statuses = [];
    for (let n = 0; n < 40; n++) {
      const headers = { authorization: `Bearer ${generateApiKey()}` };
      const request = new Request("http://recto.test/v2/users/me", { headers });
      const response = await app.handler(request, connection);
      await response.body?.cancel();
      statuses.push(response.status);
    }
    const refused = statuses.filter((status) => status === 401).length;
    assert(refused >= 10 && refused <= 12, `${refused} of 40`);
    assertEquals(statuses.filter((status) => status === 429).length, 40 - refused);
    assertEquals(calls.filter((name) => name === "apiKey").length, refused);
  }, { store, environment: { RECTO_RATE_LIMIT_ADDRESS: "2/s" } });
});
