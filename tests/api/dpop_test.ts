import { AppError } from "../../src/shared/errors.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { type Answer, ORIGIN, type TestApp, withApp } from "../support/app.ts";
import { createPage, NEW_PAGE, outcome, UNKNOWN } from "../security/support.ts";
import { createDpopClient } from "./dpop_driver.ts";

const ACCEPT = { environment: { RECTO_AUTH_DPOP: "accept" } };
const REQUIRE = { environment: { RECTO_AUTH_DPOP: "require" } };
const WITHOUT_NONCE = {
  environment: { RECTO_AUTH_DPOP: "accept", RECTO_AUTH_DPOP_NONCE: "false" },
};
const ME = "GET /v2/users/me";
const METADATA = "GET /.well-known/oauth-protected-resource";
const ALGORITHMS = ["ES256", "ES384", "Ed25519", "EdDSA", "PS256", "RS256"];
const PARAMETERS =
  `realm="recto", resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource"`;
const BEARER = `Bearer ${PARAMETERS}`;
const DPOP = `DPoP ${PARAMETERS}, algs="${ALGORITHMS.join(" ")}"`;

const client = await createDpopClient();
const bound = { boundKey: client.thumbprint };

function challengeOf({ headers }: Answer): string | null {
  return headers.get("www-authenticate");
}

Deno.test("DPoP is off by default: a bound token is refused, and nothing is said of DPoP", () =>
  withApp(async (app) => {
    const token = await app.mint(bound);
    const answers = [
      await client.call(app, ME, { token }),
      await app.call(ME, { token }),
      await client.call(app, ME, { token: await app.mint() }),
      await app.call(ME, { token: null }),
    ];
    for (const answer of answers) {
      assertEquals(outcome(answer), "401 unauthorized");
      assert(challengeOf(answer)?.startsWith(BEARER));
      assert(!challengeOf(answer)?.includes("DPoP"));
      assertEquals(answer.headers.get("dpop-nonce"), null);
    }
    const { json } = await app.call(METADATA, { token: null });
    assertEquals(Object.keys(json).filter((name) => name.startsWith("dpop")), []);
  }));

Deno.test("a client asks, is given a nonce, and is served with it until it changes", async () => {
  let clock = Date.now();
  await withApp(async (app) => {
    const token = await app.mint({ ...bound, ttlSeconds: 3_600 });
    const first = await client.call(app, ME, { token });
    assertEquals(outcome(first), "401 unauthorized");
    assertEquals(
      challengeOf(first),
      `${DPOP}, error="use_dpop_nonce", error_description="The nonce claim is missing: use that of DPoP-Nonce", ${BEARER}`,
    );
    const nonce = first.headers.get("dpop-nonce");
    assertMatch(nonce ?? "", /^[\w-]{22}$/);
    const served = await client.call(app, ME, { token, nonce });
    assertEquals([served.status, served.headers.get("dpop-nonce")], [200, null]);
    clock += 60_000;
    const renewed = await client.call(app, ME, { token, nonce });
    const next = renewed.headers.get("dpop-nonce");
    assertEquals(renewed.status, 200);
    assert(next !== null && next !== nonce);
    clock += 60_000;
    const late = await client.call(app, ME, { token, nonce });
    assertEquals(outcome(late), "401 unauthorized");
    assertEquals((await client.call(app, ME, { token, nonce: next })).status, 200);
  }, { ...ACCEPT, now: () => clock });
});

Deno.test("a new nonce comes with errors of later steps, too", async () => {
  let clock = Date.now();
  await withApp(async (app) => {
    const token = await app.mint({ ...bound, scope: "pages.read" });
    const { headers } = await client.call(app, ME, { token });
    const nonce = headers.get("dpop-nonce");
    clock += 60_000;
    for (const route of [ME, `GET /v2/pages/${UNKNOWN}`]) {
      const answer = await client.call(app, route, { token, nonce });
      assert([403, 404].includes(answer.status));
      assert(answer.headers.get("dpop-nonce") !== null);
    }
  }, { ...ACCEPT, now: () => clock });
});

Deno.test("without credentials each scheme that is offered is named, and of no error", async () => {
  await withApp(async ({ call }) => {
    assertEquals(challengeOf(await call(ME, { token: null })), `${BEARER}, ${DPOP}`);
  }, ACCEPT);
  await withApp(async ({ call }) => {
    const answer = await call(ME, { token: null });
    assertEquals(challengeOf(answer), DPOP);
    assert(answer.json.detail.includes("DPoP <token>"));
  }, REQUIRE);
});

Deno.test("accept takes bearer tokens as before; require takes bound ones alone", async () => {
  await withApp(async (app) => {
    assertEquals((await app.call(ME)).status, 200);
    const token = await app.mint(bound);
    assertEquals((await client.insist(app, ME, { token })).status, 200);
  }, ACCEPT);
  await withApp(async (app) => {
    const refused = await app.call(ME);
    assertEquals(outcome(refused), "401 unauthorized");
    assert(challengeOf(refused)?.startsWith(`${DPOP}, error="invalid_token"`));
    const token = await app.mint(bound);
    assertEquals((await client.insist(app, ME, { token })).status, 200);
  }, REQUIRE);
});

Deno.test("a bound token is refused as a bearer token, whether or not it is in the cache", () =>
  withApp(async (app) => {
    const token = await app.mint(bound);
    for (let n = 0; n < 2; n++) {
      const stolen = await app.call(ME, { token });
      assertEquals(outcome(stolen), "401 unauthorized");
      assert(challengeOf(stolen)?.startsWith(`${BEARER}, error="invalid_token"`));
      assertEquals((await client.call(app, ME, { token })).status, 200);
    }
  }, WITHOUT_NONCE));

Deno.test("whoever has token and proof, but not the key, gets nowhere", () =>
  withApp(async (app) => {
    const token = await app.mint(bound);
    const page = await createPage(app);
    const path = `/v2/pages/${page}`;
    const seen = await client.prove(`GET ${path}`, { token });
    assertEquals((await client.call(app, `GET ${path}`, { token, proof: seen })).status, 200);
    const unused = await client.prove(`GET ${path}`, { token });
    const thief = await createDpopClient();
    const attempts = [
      client.call(app, `GET ${path}`, { token, proof: seen }),
      client.call(app, `PATCH ${path}`, { token, proof: unused, body: { in_trash: true } }),
      client.call(app, `DELETE /v2/blocks/${page}`, { token, proof: unused }),
      client.call(app, `GET /v2/blocks/${page}/children`, { token, proof: unused }),
      client.call(app, `GET ${path}`, { token, proof: null }),
      client.call(app, `GET ${path}`, { token: await app.mint(bound), proof: unused }),
      thief.call(app, `GET ${path}`, { token }),
    ];
    for (const attempt of await Promise.all(attempts)) {
      assertEquals(outcome(attempt), "401 unauthorized");
    }
    assertEquals((await app.call(`GET ${path}`)).json.in_trash, false);
    assertEquals((await client.call(app, `GET ${path}`, { token, proof: unused })).status, 200);
  }, WITHOUT_NONCE));

Deno.test("each method is served with a proof, and HEAD with one for HEAD", () =>
  withApp(async (app) => {
    const token = await app.mint(bound);
    const created = await client.call(app, "POST /v2/pages", { token, body: NEW_PAGE });
    const path = `/v2/pages/${created.json.id}`;
    const statuses = [
      created,
      await client.call(app, `GET ${path}`, { token }),
      await client.call(app, `HEAD ${path}`, { token }),
      await client.call(app, `PATCH ${path}`, { token, body: { in_trash: true } }),
      await client.call(app, `GET /v2/blocks/${created.json.id}/children?page_size=1`, { token }),
    ].map(({ status }) => status);
    assertEquals(statuses, [200, 200, 200, 200, 200]);
    const asGet = await client.prove(`GET ${path}`, { token });
    assertEquals((await client.call(app, `HEAD ${path}`, { token, proof: asGet })).status, 401);
  }, WITHOUT_NONCE));

Deno.test("behind a proxy, a proof names RECTO_PUBLIC_URL and not the host of the request", () => {
  const origin = "https://notes.example";
  return withApp(async (app) => {
    const token = await app.mint(bound);
    assertEquals((await client.call(app, ME, { token, origin })).status, 200);
    for (
      const headers of [{}, { "x-forwarded-host": "recto.test" }, { forwarded: "host=recto.test" }]
    ) {
      const answer = await client.call(app, ME, { token, headers });
      assertEquals(outcome(answer), "401 unauthorized");
    }
  }, { ...WITHOUT_NONCE, publicUrl: origin });
});

Deno.test("a token that lacks a scope is challenged in the scheme that it came in", () =>
  withApp(async (app) => {
    const token = await app.mint({ ...bound, scope: "pages.read" });
    const answer = await client.call(app, ME, { token });
    assertEquals(outcome(answer), "403 forbidden");
    assertEquals(
      challengeOf(answer),
      `${DPOP}, error="insufficient_scope", scope="users.read", ${BEARER}`,
    );
  }, WITHOUT_NONCE));

Deno.test("the metadata names the algorithms, and whether tokens have to be bound", async () => {
  for (const [options, isRequired] of [[ACCEPT, false], [REQUIRE, true]] as const) {
    await withApp(async ({ call }) => {
      const { json } = await call(METADATA, { token: null });
      assertEquals(json.dpop_signing_alg_values_supported, ALGORITHMS);
      assertEquals(json.dpop_bound_access_tokens_required, isRequired);
    }, options);
  }
});

Deno.test("a page of an allowed origin may send proofs and read nonces", () =>
  withApp(async (app) => {
    const headers = { origin: "https://app.test", "access-control-request-method": "GET" };
    const preflight = await app.call("OPTIONS /v2/users/me", { token: null, headers });
    assert(preflight.headers.get("access-control-allow-headers")?.split(", ").includes("dpop"));
    const token = await app.mint(bound);
    const answer = await client.call(app, ME, { token, headers: { origin: "https://app.test" } });
    const exposed = answer.headers.get("access-control-expose-headers")?.split(", ");
    assert(exposed?.includes("dpop-nonce") && exposed.includes("www-authenticate"));
  }, { environment: { ...ACCEPT.environment, RECTO_CORS_ORIGINS: "https://app.test" } }));

Deno.test("a token that is bound by anything but a thumbprint is refused, and the log says so", () =>
  withApp(async (app) => {
    const token = await app.mint({ boundKey: `${client.thumbprint}x` });
    assertEquals(outcome(await client.call(app, ME, { token })), "401 unauthorized");
    const reasons = app.lines.map(({ reason }) => reason);
    assertEquals(reasons, [
      "The token is bound (cnf) to something else than one key's thumbprint (jkt)",
    ]);
  }, ACCEPT));

Deno.test("the log has the reason of a refused proof, and nothing of proof and token", () =>
  withApp(async (app) => {
    const token = await app.mint(bound);
    const proof = await client.prove(ME, { token, claims: { htm: "SECRET", jti: "SENTINEL" } });
    const answer = await client.call(app, ME, { token, proof });
    assertEquals(answer.json.detail, "DPoP: The htm claim is not the method of the request.");
    const line = app.lines.at(-1);
    assertEquals([line?.reason, line?.status, line?.subject], [
      "The htm claim is not the method of the request",
      401,
      undefined,
    ]);
    const text = JSON.stringify(app.lines) + answer.text;
    const told = [token, proof, "SECRET", "SENTINEL", client.thumbprint];
    assertEquals(told.filter((one) => text.includes(one)), []);
  }, WITHOUT_NONCE));

/** Asks as a client at this address does, and returns the status. */
async function askFrom(
  hostname: string,
  { app }: TestApp,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const remoteAddr = { transport: "tcp", hostname, port: 1 } as const;
  const request = new Request(`${ORIGIN}/v2/users/me`, { headers });
  const response = await app.handler(request, { remoteAddr, completed: Promise.resolve() });
  await response.body?.cancel();
  return response.status;
}

Deno.test("refused proofs are charged to the address of the client, and good ones are not", () =>
  withApp(async (app) => {
    const token = await app.mint(bound);
    const authorization = `DPoP ${token}`;
    const good = async () => ({ authorization, dpop: await client.prove(ME, { token }) });
    for (let n = 0; n < 12; n++) {
      assertEquals(await askFrom("198.51.100.7", app, await good()), 200);
    }
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) {
      statuses.push(await askFrom("198.51.100.8", app, { authorization, dpop: "x.y.z" }));
    }
    assertEquals(statuses, [401, 401, 401, 401, 401, 429, 429]);
    assertEquals(await askFrom("198.51.100.8", app, await good()), 429, "before it is checked");
    assertEquals(await askFrom("198.51.100.7", app, await good()), 200);
  }, { environment: { ...WITHOUT_NONCE.environment, RECTO_RATE_LIMIT_ADDRESS: "1/s" } }));

Deno.test("public routes take no notice of credentials and proofs", () =>
  withApp(async (app) => {
    const token = await app.mint(bound);
    for (const path of ["/healthz", "/v2/openapi/meta"]) {
      assertEquals((await client.call(app, `GET ${path}`, { token, proof: "x" })).status, 200);
    }
  }, REQUIRE));

Deno.test("if the store cannot say whether a proof was used, nothing is served", () =>
  withApp(async (app) => {
    const { store } = app;
    const failing = () => Promise.reject(new AppError("service_unavailable", "Database is down"));
    await withApp(async (other) => {
      const token = await other.mint(bound);
      const answer = await client.call(other, ME, { token });
      assertEquals(outcome(answer), "503 service_unavailable");
    }, {
      ...WITHOUT_NONCE,
      store: { ...store, usedProofs: { useProof: failing }, close: () => Promise.resolve() },
    });
  }));

Deno.test("a proof that a process took is refused by the one that is started after it", () =>
  withApp(async ({ store }) => {
    const shared = { ...store, close: () => Promise.resolve() };
    await withApp(async (one) => {
      const environment = { ...ACCEPT.environment, RECTO_DATA_DIR: one.folder };
      const token = await one.mint(bound);
      const nonce = (await client.call(one, ME, { token })).headers.get("dpop-nonce");
      const proof = await client.prove(ME, { token, nonce });
      assertEquals((await client.call(one, ME, { token, proof })).status, 200);
      await withApp(async (next) => {
        const replayed = await client.call(next, ME, { token, proof });
        assertEquals(outcome(replayed), "401 unauthorized");
        assertEquals((await client.insist(next, ME, { token })).status, 200);
      }, { environment, store: shared });
    }, { ...ACCEPT, store: shared });
  }));

Deno.test("services on one record of proofs share nonces, and admit a proof once", () =>
  withApp(async ({ store }) => {
    const used = new Set<string>();
    const useProof = (id: string) => Promise.resolve(used.size < used.add(id).size);
    // On PostgreSQL the store's own is shared; services on SQLite would each have their own.
    const shared = { usedProofs: { useProof }, ...store, close: () => Promise.resolve() };
    await withApp(async (one) => {
      const environment = { ...ACCEPT.environment, RECTO_DATA_DIR: one.folder };
      const token = await one.mint(bound);
      await withApp(async (other) => {
        const nonce = (await client.call(one, ME, { token })).headers.get("dpop-nonce");
        assertEquals((await client.call(other, ME, { token, nonce })).status, 200);
        const proof = await client.prove(ME, { token, nonce });
        const answers = await Promise.all(
          [one, other, one, other].map((app) => client.call(app, ME, { token, proof })),
        );
        const outcomes = answers.map(outcome).sort();
        assertEquals(outcomes, ["200", ...Array(3).fill("401 unauthorized")]);
      }, { environment, store: shared });
    }, { ...ACCEPT, store: shared });
  }));
