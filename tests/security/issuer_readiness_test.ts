/**
 * `/readyz` and the log name an issuer that cannot be asked, or refuses this service.
 *
 * @module
 */
import { createIntrospectionStatus } from "../../src/auth/introspection_status.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";
import { withApp } from "../support/app.ts";

const NOBODY = { token: null };

/** An issuer on a port of its own, that answers introspection with a status. */
async function withIssuer(
  test: (
    issuer: { readonly url: string; status: number; asked: number; error?: string },
  ) => Promise<void>,
): Promise<void> {
  const issuer: { url: string; status: number; asked: number; error?: string } = {
    url: "",
    status: 200,
    asked: 0,
  };
  const onListen = ({ port }: Deno.NetAddr) => void (issuer.url = `http://127.0.0.1:${port}`);
  await using _server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, () => {
    issuer.asked++;
    return Response.json({ active: false, error: issuer.error }, { status: issuer.status });
  });
  await test(issuer);
}

function settings(url: string): Record<string, string> {
  return {
    RECTO_AUTH_ISSUER: url,
    RECTO_AUTH_AUDIENCE: "recto",
    RECTO_AUTH_JWKS_URL: "none",
    RECTO_AUTH_INTROSPECTION_URL: `${url}/introspect`,
    RECTO_AUTH_CLIENT_ID: "id",
    RECTO_AUTH_CLIENT_SECRET: "secret",
  };
}

Deno.test("a wrong introspection secret makes the service not ready while it lasts, and one warning tells", () =>
  withIssuer(async (issuer) => {
    let time = Date.now();
    issuer.status = 401;
    await withApp(async (app) => {
      const ready = async () => {
        const { status, json } = await app.call("GET /readyz", NOBODY);
        return [status, json.detail];
      };
      const refused = "Not ready: token introspection rejects the credentials of this service";
      app.app.checks.start();
      assertEquals(await ready(), [503, refused]);
      const told = app.lines.filter(({ level }) => level === "warn");
      assertEquals(told.map(({ message }) => message), [
        "Tokens cannot be verified: token introspection rejects the credentials of this service",
      ]);
      assertStringIncludes(String(told[0]?.error), "401");
      const { asked } = issuer;
      for (let n = 0; n < 10; n++) assertEquals(await ready(), [503, refused]);
      assertEquals(issuer.asked, asked, "it is asked again only after a while");
      issuer.status = 200;
      time += 5_000;
      assertEquals(await ready(), [200, undefined]);
      for (let n = 0; n < 10; n++) await ready();
      assertEquals(issuer.asked, asked + 1);
    }, { environment: settings(issuer.url), now: () => time });
  }));

Deno.test("an issuer that finds fault with the token of the probe has accepted the credentials", () =>
  withIssuer(async (issuer) => {
    issuer.status = 400;
    await withApp(async ({ call }) => {
      assertEquals((await call("GET /readyz", NOBODY)).status, 200);
    }, { environment: settings(issuer.url) });
  }));

Deno.test("an issuer that rejects the credentials with 400 makes the service not ready as well", () =>
  withIssuer(async (issuer) => {
    issuer.status = 400;
    issuer.error = "invalid_client";
    await withApp(async ({ call }) => {
      const { status, json } = await call("GET /readyz", NOBODY);
      const refused = "Not ready: token introspection rejects the credentials of this service";
      assertEquals([status, json.detail], [503, refused]);
    }, { environment: settings(issuer.url) });
  }));

Deno.test("an issuer that was never reached makes the service not ready, and one warning says so", () =>
  withApp(async (app) => {
    app.app.checks.start();
    const { status, json } = await app.call("GET /readyz", NOBODY);
    assertEquals([status, json.detail], [503, "Not ready: the issuer's key set is unreachable"]);
    const warned = app.lines.filter(({ level }) => level === "warn");
    assertEquals(warned.length, 1);
    assert(String(warned[0]?.message).startsWith("Tokens cannot be verified: "));
  }, { environment: { RECTO_AUTH_ISSUER: "http://127.0.0.1:1", RECTO_AUTH_AUDIENCE: "recto" } }));

Deno.test("one question that fails is no verdict: the next ping asks again", async () => {
  let probes = 0;
  const status = createIntrospectionStatus(() => {
    probes++;
    return Promise.resolve();
  });
  status.record(undefined, 0);
  await status.ping(59_999);
  assertEquals(probes, 0);
  status.record(new Error("reset"), 60_000);
  await status.ping(60_000);
  assertEquals(probes, 1);
  await status.ping(61_000);
  assertEquals(probes, 1);
});

Deno.test("pings that come together share one probe, and hear what it failed with", async () => {
  let probes = 0;
  const status = createIntrospectionStatus(() => {
    probes++;
    return Promise.reject(new Error("no route"));
  });
  await Promise.all(
    [0, 0, 1].map((now) => assertRejects(() => status.ping(now), Error, "no route")),
  );
  assertEquals(probes, 1);
});
