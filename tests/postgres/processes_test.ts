import { assertEquals } from "../assert.ts";
import { childrenOf, newPage, textsOf } from "../api/driver.ts";
import { NEW_PAGE } from "../security/support.ts";
import { callOnce, withProcesses } from "../processes/service.ts";
import { callerOf, startWriters } from "../processes/writers.ts";
import { withSchema } from "./support.ts";

Deno.test("several processes over one database are one service: writes, readiness, a kill", () =>
  withSchema((_, url) =>
    withProcesses(async (service) => {
      const written = await callOnce(service, "POST /v2/pages", { body: NEW_PAGE });
      const { id } = JSON.parse(written.text);
      for (let times = 0; times < 12; times++) {
        assertEquals((await callOnce(service, `GET /v2/pages/${id}`)).text, written.text);
        assertEquals((await callOnce(service, "GET /readyz")).status, 200);
      }
      const page = await newPage(callerOf(service));
      const writers = startWriters(service, page);
      await writers.more(30);
      const replaced = service.event("All processes serve again");
      Deno.kill(service.primary(), "SIGKILL");
      await replaced;
      await writers.more(30);
      const names = await writers.stop();
      const stored = textsOf(await childrenOf(callerOf(service), page));
      assertEquals(stored.toSorted(), [...names].toSorted());
    }, { processes: 3, env: { DATABASE_URL: url } })
  ));
