import { readBody } from "../../src/http/body.ts";
import { type BodySlotLimits, createBodySlots } from "../../src/http/body_slots.ts";
import { LIMITS } from "../../src/http/request.ts";
import { AppError } from "../../src/shared/errors.ts";
import { assert, assertEquals } from "../assert.ts";

const LARGE = LIMITS.explainedBytes + 1;
/** Turns of the event loop in which all that is there is read. */
const TURNS = 20;

interface SentBody {
  /** Bytes that were read, or the code of the error. */
  readonly outcome: Promise<number | string>;
  /** True once it was read to its end, or refused. */
  isOver(): boolean;
  send(bytes: number): Promise<void>;
  end(): Promise<void>;
}

type Send = (caller: string, start: number, bodyTime?: number) => Promise<SentBody>;

/** Creates what begins to send a body, of which so many bytes arrive at once. */
function sending(limits: Partial<BodySlotLimits>): Send {
  const slots = createBodySlots({ ...LIMITS, ...limits });
  return async (caller, start, bodyTime = LIMITS.bodyTime) => {
    const { readable, writable } = new TransformStream<
      Uint8Array<ArrayBuffer>,
      Uint8Array<ArrayBuffer>
    >();
    const writer = writable.getWriter();
    writer.closed.catch(() => {});
    const parsed = { method: "POST", path: "/", query: "", headers: JSON_FIELDS };
    const request = { method: "POST", url: "", headers: new Headers(), body: readable };
    const limits = { bodyBytes: LIMITS.bodyBytes, bodyTime };
    let isOver = false;
    const outcome = readBody(request, parsed, { limits, others: [], slot: slots(caller) })
      .then(({ length }) => length, (error) => error instanceof AppError ? error.code : error)
      .finally(() => isOver = true);
    const send = async (bytes: number) => {
      writer.write(new Uint8Array(bytes)).catch(() => {});
      await settle();
    };
    await send(start);
    return {
      outcome,
      isOver: () => isOver,
      send,
      end: async () => {
        writer.close().catch(() => {});
        await settle();
      },
    };
  };
}

const JSON_FIELDS = new Map([["content-type", "application/json"]]);

async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}

Deno.test("a large body of a caller waits until an earlier one of them has arrived", async () => {
  const send = sending({ largeBodies: 2 });
  const [first, second, third] = [
    await send("a", LARGE),
    await send("a", LARGE),
    await send("a", LARGE),
  ];
  await third.end();
  assert(!third.isOver());
  await second.end();
  assertEquals(await second.outcome, LARGE);
  assertEquals(await third.outcome, LARGE);
  await first.send(10);
  await first.end();
  assertEquals(await first.outcome, LARGE + 10);
});

Deno.test("neither small bodies nor those of others wait for large ones that never end", async () => {
  const send = sending({ largeBodies: 1 });
  const stalled = await send("a", LARGE);
  for (const [caller, size] of [["a", LIMITS.explainedBytes], ["b", LARGE]] as const) {
    const body = await send(caller, size);
    await body.end();
    assertEquals(await body.outcome, size);
  }
  assert(!stalled.isOver());
  await stalled.end();
});

Deno.test("a large body that waits for too long is a 429, and the next one is taken", async () => {
  const send = sending({ largeBodies: 1 });
  const stalled = await send("a", LARGE);
  assertEquals(await (await send("a", LARGE, 1)).outcome, "rate_limited");
  await stalled.end();
  const next = await send("a", LARGE);
  await next.end();
  assertEquals(await next.outcome, LARGE);
});

Deno.test("a large body is a 429 at once if too many of its caller wait", async () => {
  const send = sending({ largeBodies: 1, largeBodiesWaiting: 1 });
  const [stalled, waiting] = [await send("a", LARGE), await send("a", LARGE)];
  assertEquals(await (await send("a", LARGE)).outcome, "rate_limited");
  for (const body of [stalled, waiting]) {
    await body.end();
    assertEquals(await body.outcome, LARGE);
  }
});

Deno.test("a large body is a 503 while as many of all callers arrive as may, and not after that", async () => {
  const send = sending({ largeBodies: 2, largeBodiesInAll: 2 });
  const stalled = [await send("a", LARGE), await send("b", LARGE)];
  assertEquals(await (await send("c", LARGE)).outcome, "service_unavailable");
  for (const body of stalled) await body.end();
  for (const caller of ["c", "d"]) {
    const body = await send(caller, LARGE);
    await body.end();
    assertEquals(await body.outcome, LARGE);
  }
});

Deno.test("large bodies that stop half way give up their slots when their time is over", async () => {
  const send = sending({ largeBodies: 1, largeBodiesInAll: 1 });
  assertEquals(await (await send("a", LARGE, 1)).outcome, "invalid_request");
  const next = await send("b", LARGE);
  await next.end();
  assertEquals(await next.outcome, LARGE);
});
