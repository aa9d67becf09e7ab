import { assertEquals } from "../assert.ts";
import { createDpopClient } from "../api/dpop_driver.ts";
import { ORIGIN } from "../support/app.ts";
import { withServer } from "../support/socket.ts";
import { lastRequest, outcome } from "./support.ts";

const ROUTE = "GET /v2/users/me";

Deno.test("a second DPoP field on the wire is refused, and one is served", async () => {
  const client = await createDpopClient();
  await withServer(async ({ exchange, mint, host }) => {
    const token = await mint({ boundKey: client.thumbprint });
    const send = async (...proofs: readonly string[]) => {
      const fields = proofs.map((proof) => `DPoP: ${proof}`);
      const credentials = `Authorization: DPoP ${token}`;
      const raw = lastRequest(`${ROUTE} HTTP/1.1`, [`Host: ${host}`, credentials, ...fields]);
      return (await exchange(raw)).map(outcome);
    };
    const prove = () => client.prove(ROUTE, { token, origin: ORIGIN });
    const proof = await prove();
    assertEquals(await send(proof, await prove()), ["401 unauthorized"]);
    assertEquals(await send(proof, ""), ["401 unauthorized"]);
    assertEquals(await send(proof, proof), ["401 unauthorized"]);
    assertEquals(await send(proof), ["200"]);
    assertEquals(await send(proof), ["401 unauthorized"]);
  }, { environment: { RECTO_AUTH_DPOP: "accept", RECTO_AUTH_DPOP_NONCE: "false" } });
});
