import {
  createResponse,
  isStreamed,
  sentBodyOf,
  streamOf,
} from "../../src/http/response_writer.ts";
import {
  createUnreadAnswers,
  type SentAnswer,
  type UnreadAnswers,
} from "../../src/http/unread_answers.ts";
import { AppError } from "../../src/shared/errors.ts";
import { append, newPage } from "../api/driver.ts";
import { assert, assertEquals, assertRejects } from "../assert.ts";
import { ORIGIN, withApp } from "../support/app.ts";

const NEVER = new Promise<void>(() => {});
const LIMITS = { unreadBytes: 20, unreadBytesInAll: 40, unreadTime: 30 };

interface Trial {
  /** Sends an answer, by default of ten bytes: returns what became of it, or the code of its refusal. */
  send(caller: string, answer?: Partial<SentAnswer> & { length?: number }): Sent | string;
  /** Lets so many milliseconds pass. */
  pass(time: number): void;
}

interface Sent {
  isBrokenOff: boolean;
  lastRead: number;
}

function trying(): Trial {
  let now = 0;
  const answers: UnreadAnswers = createUnreadAnswers(LIMITS, () => now);
  return {
    pass: (time) => void (now += time),
    send: (caller, { length = 10, ...answer } = {}) => {
      const sent: Sent = { isBrokenOff: false, lastRead: now };
      const body = {
        length,
        get lastRead() {
          return sent.lastRead;
        },
        breakOff: () => void (sent.isBrokenOff = true),
      };
      try {
        answers.hold({ caller, body, isRead: true, completed: NEVER, ...answer });
        return sent;
      } catch (error) {
        assert(error instanceof AppError && sent.isBrokenOff);
        assertEquals(error.headers["retry-after"], "1");
        return error.code;
      }
    },
  };
}

function sentOf(outcome: Sent | string): Sent {
  assert(typeof outcome !== "string", String(outcome));
  return outcome;
}

Deno.test("a caller with too many unread answers is a 429, and nobody else is, until all have too many", () => {
  const { send } = trying();
  for (const caller of ["a", "b"]) {
    sentOf(send(caller));
    sentOf(send(caller));
    assertEquals(send(caller), "rate_limited");
  }
  assertEquals(send("c"), "service_unavailable");
});

Deno.test("an answer that was received or given up no longer counts", async () => {
  const { send } = trying();
  sentOf(send("a", { completed: Promise.resolve() }));
  sentOf(send("a"));
  await Promise.resolve();
  sentOf(send("a"));
  assertEquals(send("a"), "rate_limited");
});

Deno.test("answers that were not read for long are broken off for others, and no more than needed", () => {
  const { send, pass } = trying();
  const [first, second] = [sentOf(send("a")), sentOf(send("a"))];
  pass(LIMITS.unreadTime);
  first.lastRead = 1;
  sentOf(send("a"));
  assertEquals([first.isBrokenOff, second.isBrokenOff], [false, true]);
  // Read a millisecond too late to be broken off.
  assertEquals(send("a"), "rate_limited");
  assert(!first.isBrokenOff);
});

Deno.test("the answer to a write is never refused: one that is read least is broken off", () => {
  const { send, pass } = trying();
  const first = sentOf(send("a"));
  pass(1);
  const second = sentOf(send("a"));
  sentOf(send("a", { isRead: false }));
  assertEquals([first.isBrokenOff, second.isBrokenOff], [true, false]);
});

Deno.test("a read that is refused breaks off no answer", () => {
  const { send, pass } = trying();
  const silent = sentOf(send("a"));
  pass(LIMITS.unreadTime);
  sentOf(send("a"));
  assertEquals(send("a", { length: 20 }), "rate_limited");
  assert(!silent.isBrokenOff);
});

Deno.test("a read that only the limit of all refuses breaks off no answer of its caller", () => {
  const { send, pass } = trying();
  const silent = sentOf(send("a", { length: 5 }));
  pass(LIMITS.unreadTime);
  sentOf(send("b", { length: 35 }));
  assertEquals(send("a", { length: 20 }), "service_unavailable");
  assert(!silent.isBrokenOff);
});

Deno.test("the answer to a write breaks off none that another caller is reading", () => {
  const { send, pass } = trying();
  const silent = sentOf(send("b"));
  pass(LIMITS.unreadTime);
  const reading = [sentOf(send("b")), sentOf(send("c")), sentOf(send("c"))];
  sentOf(send("a", { isRead: false }));
  sentOf(send("a", { isRead: false }));
  assertEquals([silent, ...reading].map(({ isBrokenOff }) => isBrokenOff), [
    ...[true, false, false, false],
  ]);
});

Deno.test("a client that waits for a part to be made is not silent", async () => {
  const [asked, made] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const body = streamOf(partOf(asked.resolve, made.promise), 1);
  const response = createResponse({ status: 200, contentType: "a/b", body, fields: [] }, "GET");
  const hasReadSince = (time: number) => {
    while (performance.now() === time);
    return (sentBodyOf(response)?.lastRead ?? 0) > time;
  };
  const reading = response.body?.getReader().read();
  await asked.promise;
  assert(hasReadSince(performance.now()));
  made.resolve("x");
  await reading;
  assert(!hasReadSince(performance.now()));
});

async function* partOf(ask: () => void, part: Promise<string>): AsyncGenerator<string> {
  ask();
  yield await part;
}

Deno.test("a long text that is broken off is not sent to its end", async () => {
  const body = "x".repeat(600_000);
  const response = createResponse({ status: 200, contentType: "a/b", body, fields: [] }, "GET");
  assertEquals(sentBodyOf(response)?.length, body.length);
  const reader = response.body?.getReader();
  await reader?.read();
  sentBodyOf(response)?.breakOff();
  await assertRejects(async () => await reader?.read(), Error, "not read");
});

Deno.test("a client that reads nothing of a long answer gets no further one", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const block = { paragraph: { rich_text: [{ text: { content: "x".repeat(2_000) } }] } };
    for (let n = 0; n < 2; n++) await append(app, page, { children: Array(100).fill(block) });
    const headers = { authorization: `Bearer ${await app.mint()}`, host: "recto.test" };
    const get = (completed: Promise<void>) => {
      const connection = { remoteAddr: ADDRESS, completed };
      const url = `${ORIGIN}/v2/blocks/${page}/children?page_size=100`;
      return app.app.handler(new Request(url, { headers }), connection);
    };
    const leaving = Promise.withResolvers<void>();
    const unread = await get(leaving.promise);
    assertEquals(unread.status, 200);
    const refused = await get(NEVER);
    assertEquals([refused.status, refused.headers.get("retry-after")], [429, "1"]);
    await refused.body?.cancel();
    leaving.resolve();
    await unread.body?.cancel();
    const next = await get(Promise.resolve());
    assertEquals(next.status, 200);
    await next.body?.cancel();
  }, { limits: { unreadBytes: 1 } }));

Deno.test("what anybody may read is not counted, so that nobody takes it from others", () =>
  withApp(async (app) => {
    const page = await (await app.app.handler(new Request(`${ORIGIN}/docs`))).text();
    const [script = ""] = /\/docs\/api-reference[^"]*/.exec(page) ?? [];
    for (let n = 0; n < 3; n++) {
      const headers = { host: "recto.test" };
      const request = new Request(ORIGIN + script, { headers });
      const response = await app.app.handler(request, { remoteAddr: ADDRESS, completed: NEVER });
      assertEquals([response.status, isStreamed(response)], [200, true]);
      await response.body?.cancel();
    }
  }, { limits: { unreadBytes: 1 } }));

const ADDRESS = { transport: "tcp", hostname: "127.0.0.1", port: 1 } as const;
