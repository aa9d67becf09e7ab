import { guardFetch, isPublic } from "../../src/auth/networks.ts";
import { issuerKeys, urlKeys } from "../../src/auth/key_sources.ts";
import { authUrlIssues } from "../../src/auth/urls.ts";
import { boot } from "../../src/app/boot.ts";
import { ConfigError, readConfig } from "../../src/config/config.ts";
import { createLog } from "../../src/shared/log.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../assert.ts";

const SERVER = { loopback: false, privateNetworks: false, plainHttp: false };
const MACHINE = { ...SERVER, loopback: true };

const PRIVATE = [
  ...["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1"],
  ...["127.0.0.1", "127.255.255.255", "0.0.0.0", "0.1.2.3", "255.255.255.255", "224.0.0.1"],
  ...["::", "::1", "fc00::1", "fd12:3456::1", "fe80::1", "ff02::1", "::ffff:127.0.0.1"],
  ...["::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "192.0.2.1", "198.18.0.1"],
];
const PUBLIC = ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"];

const urlOf = (address: string) =>
  address.includes(":") ? `https://[${address}]/keys` : `https://${address}/keys`;

Deno.test("isPublic() distinguishes every private range from public addresses", () => {
  assertEquals(PRIVATE.filter(isPublic), []);
  assertEquals(PUBLIC.filter(isPublic), PUBLIC);
});

Deno.test("a private IP address fails the start, in every URL setting", () => {
  for (const address of PRIVATE) {
    const url = urlOf(address);
    for (const urls of [{ issuer: url }, { jwksUrl: url }, { introspectionUrl: url }]) {
      const issues = authUrlIssues(urls, SERVER);
      assertEquals(issues.length, 1, address);
      assertStringIncludes(issues[0] ?? "", "must not be a private address");
    }
    assertEquals(authUrlIssues({ jwksUrl: url }, { ...SERVER, privateNetworks: true }), []);
  }
  for (const address of PUBLIC) {
    assertEquals(authUrlIssues({ jwksUrl: urlOf(address) }, SERVER), []);
  }
});

Deno.test("loopback is only allowed for a service that listens on loopback", () => {
  const own = ["http://localhost:8080/", "http://127.0.0.1:8080/", "https://[::1]/"];
  for (const jwksUrl of own) {
    assertEquals(authUrlIssues({ jwksUrl }, MACHINE), []);
    assertEquals(authUrlIssues({ jwksUrl }, SERVER).length, 1, jwksUrl);
  }
  assertEquals(authUrlIssues({ jwksUrl: "https://10.0.0.1/" }, MACHINE).length, 1);
});

interface Asked {
  readonly asked: string[];
  readonly fetch: (url: string) => Promise<Response>;
}

function recorder(): Asked {
  const asked: string[] = [];
  const fetch = (url: string) => {
    asked.push(url);
    return Promise.resolve(Response.json({ keys: [] }));
  };
  return { asked, fetch };
}

Deno.test("a name with any private address is not fetched, and is resolved again for each fetch", async () => {
  const { asked, fetch } = recorder();
  let addresses: readonly string[] = ["8.8.8.8", "2606:4700::1111"];
  const guarded = guardFetch(SERVER, fetch, () => Promise.resolve(addresses));
  await guarded("https://issuer.test/keys", {});
  for (const address of PRIVATE) {
    addresses = ["8.8.8.8", address];
    const ask = () => guarded("https://issuer.test/keys", {});
    const error = await assertRejects(ask, Error);
    assertStringIncludes(error.message, address);
  }
  assertEquals(asked.length, 1);
});

Deno.test("a name that resolves to loopback is rejected even if loopback is allowed", async () => {
  const { asked, fetch } = recorder();
  const guarded = guardFetch(MACHINE, fetch, () => Promise.resolve(["127.0.0.1"]));
  await assertRejects(() => guarded("https://issuer.test/keys", {}), Error);
  await guarded("http://localhost:1/keys", {});
  assertEquals(asked, ["http://localhost:1/keys"]);
});

Deno.test("plain http reaches private addresses if it is allowed, and no public one", async () => {
  const { asked, fetch } = recorder();
  const compose = { loopback: false, privateNetworks: true, plainHttp: true };
  let addresses: readonly string[] = ["172.18.0.2"];
  const guarded = guardFetch(compose, fetch, () => Promise.resolve(addresses));
  await guarded("http://keycloak:8080/keys", {});
  for (const address of PUBLIC) {
    addresses = ["172.18.0.2", address];
    const ask = () => guarded("http://keycloak:8080/keys", {});
    await assertRejects(ask, Error, "must be https");
    await guarded("https://keycloak:8080/keys", {});
  }
  assertEquals(asked.filter((url) => url.startsWith("http:")).length, 1);
});

Deno.test("plain http is refused at the start unless RECTO_AUTH_PLAIN_HTTP is true, and to public addresses always", () => {
  const compose = { loopback: false, privateNetworks: true, plainHttp: true };
  for (const url of ["http://keycloak:8080/realms/acme", "http://10.0.0.7/keys"]) {
    for (const urls of [{ issuer: url }, { jwksUrl: url }, { introspectionUrl: url }]) {
      assertEquals(authUrlIssues(urls, compose), []);
      const [issue = ""] = authUrlIssues(urls, { ...compose, plainHttp: false });
      assertStringIncludes(issue, "RECTO_AUTH_PLAIN_HTTP=true allows http in private networks");
    }
  }
  const [issue = ""] = authUrlIssues({ jwksUrl: "http://8.8.8.8/keys" }, compose);
  assertStringIncludes(issue, "must be https, because its address is not private");
});

Deno.test("the key URL in an issuer's metadata may be plain http only where the issuer may", async () => {
  const asked: string[] = [];
  const fetch = (url: string) => {
    asked.push(url);
    const jwks_uri = "http://keycloak:8080/certs";
    const body = url === jwks_uri ? { keys: [] } : { issuer: "http://keycloak:8080", jwks_uri };
    return Promise.resolve(Response.json(body));
  };
  const load = (plainHttp: boolean) =>
    issuerKeys("http://keycloak:8080", fetch, plainHttp)(AbortSignal.timeout(1_000));
  await assertRejects(() => load(false), Error, "jwks_uri must be https");
  assertEquals(await load(true), { keys: [] });
  assertEquals(asked.at(-1), "http://keycloak:8080/certs");
});

Deno.test("the key URL in an issuer's metadata is checked as well", async () => {
  const asked: string[] = [];
  const fetch = (url: string) => {
    asked.push(url);
    const jwks_uri = "https://inside.test/keys";
    return Promise.resolve(Response.json({ issuer: "https://issuer.test", jwks_uri }));
  };
  const resolve = (name: string) =>
    Promise.resolve([name === "inside.test" ? "10.0.0.1" : "8.8.8.8"]);
  const source = issuerKeys("https://issuer.test", guardFetch(SERVER, fetch, resolve));
  await assertRejects(() => source(AbortSignal.timeout(1_000)), Error, "10.0.0.1");
  assertEquals(asked.length, 1);
});

Deno.test("name resolution stops when the signal aborts", async () => {
  const { asked, fetch } = recorder();
  const source = urlKeys(
    "https://slow.test/",
    guardFetch(SERVER, fetch, () => new Promise(() => {})),
  );
  const controller = new AbortController();
  const keys = source(controller.signal);
  controller.abort(new Error("late"));
  await assertRejects(() => keys, Error, "late");
  assertEquals(asked, []);
});

Deno.test("the service does not start with private addresses unless RECTO_AUTH_PRIVATE_NETWORK is true", async () => {
  const environment = {
    RECTO_AUTH_ISSUER: "https://10.0.0.1",
    RECTO_AUTH_INTROSPECTION_URL: "https://[::ffff:192.168.0.1]/introspect",
    RECTO_AUTH_CLIENT_ID: "recto",
    RECTO_AUTH_CLIENT_SECRET: "secret",
    RECTO_AUTH_JWKS_URL: "http://127.0.0.1:9/keys",
    RECTO_PUBLIC_URL: "https://recto.test",
    HOST: "0.0.0.0",
  };
  const config = readConfig((name) => Reflect.get(environment, name));
  const log = createLog({ level: "off", write: () => {}, now: Date.now });
  const error = await assertRejects(() => boot(config, log), ConfigError);
  assertEquals(error.issues.length, 2);
  for (const issue of error.issues) assertStringIncludes(issue, "RECTO_AUTH_PRIVATE_NETWORK");
  const allowed = { ...environment, RECTO_AUTH_PRIVATE_NETWORK: "true" };
  const { auth } = readConfig((name) => Reflect.get(allowed, name));
  assert(auth.kind === "issuer" && auth.privateNetworks);
});
