/**
 * Clients that others wrote, with DPoP on: they make the proofs and follow the nonces.
 *
 * @module
 */
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { assert, assertEquals } from "../assert.ts";
import { ORIGIN, type TestApp, withApp } from "../support/app.ts";

const ME = new URL(`${ORIGIN}/v2/users/me`);
const ISSUER = "https://issuer.test";

/** A `fetch` that is answered by the handler; counts the requests. */
function fetchFrom(app: TestApp) {
  const statuses: number[] = [];
  const fetch = async (url: string, options: RequestInit): Promise<Response> => {
    const response = await app.send(new Request(url, options));
    statuses.push(response.status);
    return response;
  };
  return { fetch, statuses };
}

for (
  const [nonce, expected] of [["true", [401, 200, 200, 200]], ["false", [200, 200, 200]]] as const
) {
  Deno.test(`openid-client reads and writes with a bound token (nonces: ${nonce})`, () =>
    withApp(async (app) => {
      const { fetch, statuses } = fetchFrom(app);
      const config = new openid.Configuration({ issuer: ISSUER }, "client");
      config[openid.customFetch] = (url, options) => fetch(url, { ...options } as RequestInit);
      openid.allowInsecureRequests(config);
      const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair("ES256"));
      const boundKey = await DPoP.calculateThumbprint();
      const token = await app.mint({ boundKey });
      const call = (url: URL, method: string, body?: string) =>
        openid.fetchProtectedResource(
          ...[config, token, url, method, body] as const,
          new Headers(body === undefined ? {} : { "content-type": "application/json" }),
          { DPoP },
        );
      const me = await (await call(ME, "GET")).json();
      assertEquals(me.object, "user");
      const page = JSON.stringify({ parent: { workspace: true }, properties: {} });
      const created = await (await call(new URL(`${ORIGIN}/v2/pages`), "POST", page)).json();
      const read = await call(
        new URL(`${ORIGIN}/v2/pages/${created.id}?filter_properties=title`),
        "GET",
      );
      assertEquals((await read.json()).id, created.id);
      assertEquals(statuses, [...expected]);
    }, { environment: { RECTO_AUTH_DPOP: "require", RECTO_AUTH_DPOP_NONCE: nonce } }));
}

for (const algorithm of ["ES256", "Ed25519", "PS256", "RS256"]) {
  Deno.test(`oauth4webapi proves ${algorithm} keys, and understands each refusal`, () =>
    withApp(async (app) => {
      const { fetch } = fetchFrom(app);
      const keys = await oauth.generateKeyPair(algorithm);
      const DPoP = oauth.DPoP({}, keys);
      const token = await app.mint({ boundKey: await DPoP.calculateThumbprint() });
      const call = (accessToken: string, handle = DPoP) =>
        oauth.protectedResourceRequest(accessToken, "GET", ME, new Headers(), undefined, {
          DPoP: handle,
          [oauth.customFetch]: (url, options) => fetch(url, { ...options } as RequestInit),
          [oauth.allowInsecureRequests]: true,
        });
      const refused = await call(token).catch((error) => error);
      assert(oauth.isDPoPNonceError(refused), `${refused}`);
      assertEquals((await call(token)).status, 200);
      const stranger = oauth.DPoP({}, await oauth.generateKeyPair("ES256"));
      await call(token, stranger).catch(() => {});
      const stolen = await call(token, stranger).catch((error) => error);
      assert(stolen instanceof oauth.WWWAuthenticateChallengeError);
      const [challenge] = stolen.cause;
      assertEquals([challenge?.scheme, challenge?.parameters.error], ["dpop", "invalid_token"]);
      assertEquals(challenge?.parameters.algs?.split(" ").includes(algorithm), true);
    }, { environment: { RECTO_AUTH_DPOP: "accept" } }));
}
