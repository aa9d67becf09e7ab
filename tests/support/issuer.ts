/**
 * An issuer of tokens with one key: its metadata, its keys, and tokens of all scopes for whoever asks.
 *
 * @module
 */
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { ALL_SCOPES } from "./app.ts";

export interface TestIssuer extends AsyncDisposable {
  readonly origin: string;
  /** Signs a token; also `GET /token?audience=…`. */
  mint(audience: string): Promise<string>;
}

export async function startIssuer(): Promise<TestIssuer> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const key = { ...await exportJWK(publicKey), kid: "1", alg: "ES256", use: "sig" };
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async ({ url }): Promise<Response> => {
      const { pathname, searchParams } = new URL(url);
      if (pathname === "/token") {
        return new Response(await mint(searchParams.get("audience") ?? ""));
      }
      return Response.json(
        pathname === "/jwks" ? { keys: [key] } : { issuer: origin, jwks_uri: `${origin}/jwks` },
      );
    },
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const mint = (audience: string): Promise<string> =>
    new SignJWT({ scope: ALL_SCOPES, client_id: "test" })
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: "1" })
      .setIssuer(origin).setAudience(audience).setSubject("ada").setJti("1").setIssuedAt()
      .setExpirationTime("10 minutes").sign(privateKey);
  return { origin, mint, [Symbol.asyncDispose]: () => server.shutdown() };
}
