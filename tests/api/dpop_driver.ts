/**
 * A client with a key, which sends requests with proofs of it to the real handler.
 *
 * @module
 */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose";
import type { JWK, JWTPayload } from "jose";
import { createHash } from "node:crypto";
import type { Answer, CallOptions, TestApp } from "../support/app.ts";
import { ORIGIN } from "../support/app.ts";

export interface DpopCallOptions extends CallOptions {
  readonly token: string;
  readonly nonce?: string | null;
  /** Claims that replace those of a good proof. */
  readonly claims?: JWTPayload;
  /** Sent in place of a new proof; null sends none. */
  readonly proof?: string | null;
  /** The origin that clients know; default that of test apps. */
  readonly origin?: string;
}

export interface DpopClient {
  readonly jwk: JWK;
  readonly thumbprint: string;
  /** Signs a proof for `METHOD /path`. */
  prove(route: string, options: DpopCallOptions): Promise<string>;
  /** Calls a route with a proof. */
  call(app: Pick<TestApp, "call">, route: string, options: DpopCallOptions): Promise<Answer>;
  /** Calls a route, and once more if the answer demands a nonce. */
  insist(app: Pick<TestApp, "call">, route: string, options: DpopCallOptions): Promise<Answer>;
}

export async function createDpopClient(): Promise<DpopClient> {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(publicKey);
  const prove: DpopClient["prove"] = (route, { token, nonce, claims, origin = ORIGIN }) => {
    const [htm = "", target = ""] = route.split(" ");
    const ath = createHash("sha256").update(token).digest("base64url");
    const htu = `${origin}${target.split("?")[0]}`;
    return new SignJWT({
      jti: crypto.randomUUID(),
      htm,
      htu,
      ath,
      ...(nonce && { nonce }),
      ...claims,
    })
      .setIssuedAt(claims?.iat ?? Math.floor(Date.now() / 1000))
      .setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk })
      .sign(privateKey);
  };
  const call: DpopClient["call"] = async (app, route, options) => {
    const { token, proof: given, headers, body } = options;
    const proof = given === undefined ? await prove(route, options) : given;
    return await app.call(route, {
      token: null,
      ...(body !== undefined && { body }),
      headers: {
        authorization: `DPoP ${token}`,
        ...(proof !== null && { dpop: proof }),
        ...headers,
      },
    });
  };
  return {
    jwk,
    thumbprint: await calculateJwkThumbprint(jwk),
    prove,
    call,
    insist: async (app, route, options) => {
      const answer = await call(app, route, options);
      const nonce = answer.headers.get("dpop-nonce");
      return answer.status === 401 && nonce
        ? await call(app, route, { ...options, nonce })
        : answer;
    },
  };
}
