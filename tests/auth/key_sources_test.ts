import { fileKeys, issuerKeys, type KeySource, urlKeys } from "../../src/auth/key_sources.ts";
import { createKeySet } from "../../src/auth/keys.ts";
import { assertEquals, assertRejects } from "../assert.ts";
import { KEY, NOW, withServer } from "./support.ts";

const KEYS = { keys: [KEY.jwk] };

function load(source: KeySource): Promise<unknown> {
  return source(new AbortController().signal);
}

async function fails(source: KeySource, message: string): Promise<void> {
  await assertRejects(() => load(source), Error, message);
}

Deno.test("fileKeys() reads the JWKS file again each time", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, '{"keys":[]}');
  const source = fileKeys(path);
  assertEquals(await load(source), { keys: [] });
  await Deno.writeTextFile(path, JSON.stringify(KEYS));
  assertEquals(await load(source), JSON.parse(JSON.stringify(KEYS)));
  await Deno.remove(path);
  await assertRejects(() => load(source), Deno.errors.NotFound);
});

Deno.test("urlKeys() fetches a JWKS document", async () => {
  await withServer(() => Response.json(KEYS), async (origin) => {
    assertEquals(await load(urlKeys(origin)), JSON.parse(JSON.stringify(KEYS)));
  });
});

Deno.test("urlKeys() rejects invalid responses and more than 64 KiB", async () => {
  const answers: readonly (readonly [() => Response, string])[] = [
    [() => new Response(null, { status: 500 }), "500"],
    [() => new Response(null, { status: 204 }), "204"],
    [() => new Response("<html>"), "JSON"],
    [() => new Response(), "JSON"],
    [() => new Response(`{"keys":[],"x":"${"x".repeat(65_536)}"}`), "65536"],
    [() => new Response(Uint8Array.from([0xff])), ""],
  ];
  for (const [answer, message] of answers) {
    await withServer(answer, (origin) => fails(urlKeys(origin), message));
  }
});

Deno.test("urlKeys() does not follow redirects", async () => {
  const handle = ({ url }: Request): Response =>
    url.endsWith("/keys") ? Response.json(KEYS) : Response.redirect(`${url}keys`);
  await withServer(handle, async (origin) => {
    await load(urlKeys(`${origin}/keys`));
    await assertRejects(() => load(urlKeys(`${origin}/`)), TypeError);
  });
});

Deno.test("urlKeys() stops reading an endless response", async () => {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const endless = (): Response =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(16_384).fill(32)),
        cancel: () => resolve(),
      }),
    );
  await withServer(endless, async (origin) => {
    await fails(urlKeys(origin), "65536");
    await stopped;
  });
});

Deno.test("urlKeys() stops when its signal aborts while the issuer sends slowly", async () => {
  const abort = new AbortController();
  const drip = (): Response =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
        pull: () => abort.abort(),
      }),
    );
  await withServer(drip, async (origin) => {
    await assertRejects(() => urlKeys(origin)(abort.signal), Error);
  });
});

/** An issuer whose metadata lies at one path. */
function issuerAt(path: string, change: Readonly<Record<string, unknown>> = {}): {
  paths: string[];
  handle: (request: Request) => Response;
} {
  const paths: string[] = [];
  const handle = (request: Request): Response => {
    const { origin, pathname } = new URL(request.url);
    paths.push(pathname);
    if (pathname === "/keys") return Response.json(KEYS);
    if (pathname !== path) return new Response("<html>not here</html>");
    return Response.json({ issuer: `${origin}/tenant`, jwks_uri: `${origin}/keys`, ...change });
  };
  return { paths, handle };
}

const OAUTH = "/.well-known/oauth-authorization-server/tenant";
const OPEN_ID = "/tenant/.well-known/openid-configuration";

Deno.test("issuerKeys() finds the keys by RFC 8414, then by OpenID Connect discovery", async () => {
  for (
    const [path, expected] of [[OAUTH, [OAUTH, "/keys"]], [OPEN_ID, [OAUTH, OPEN_ID, "/keys"]]]
  ) {
    const { paths, handle } = issuerAt(String(path));
    await withServer(handle, async (origin) => {
      const document = await load(issuerKeys(`${origin}/tenant`));
      assertEquals(document, JSON.parse(JSON.stringify(KEYS)));
    });
    assertEquals<unknown>(paths, expected);
  }
});

Deno.test("issuerKeys() rejects metadata of any other issuer", async () => {
  const { handle } = issuerAt(OAUTH, { issuer: "https://issuer.test" });
  await withServer(
    handle,
    (origin) => fails(issuerKeys(`${origin}/tenant`), "https://issuer.test"),
  );
  await withServer(
    issuerAt(OAUTH).handle,
    (origin) => fails(issuerKeys(`${origin}/tenant/`), "tenant"),
  );
});

Deno.test("issuerKeys() does not follow a jwks_uri to an unsafe URL", async () => {
  const issuer = "https://issuer.test";
  for (const jwks_uri of ["http://issuer.test/keys", "file:///etc/passwd", "https://a:b@x/keys"]) {
    const answer = (): Promise<Response> => Promise.resolve(Response.json({ issuer, jwks_uri }));
    await fails(issuerKeys(issuer, answer), "jwks_uri must");
  }
  const inward = (): Promise<Response> =>
    Promise.resolve(Response.json({ issuer, jwks_uri: "http://127.0.0.1/keys" }));
  await fails(issuerKeys(issuer, inward), "https jwks_uri");
});

Deno.test("createKeySet() verifies with the keys of an issuer", async () => {
  await withServer(issuerAt(OPEN_ID).handle, async (origin) => {
    const keys = createKeySet(issuerKeys(`${origin}/tenant`));
    assertEquals((await keys.find({ alg: "ES256", kid: "main" }, NOW)).type, "public");
  });
});
