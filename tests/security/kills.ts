/**
 * Ends the real service again and again while it is written to, and looks each time whether all that it
 * acknowledged is there, each write once and whole.
 *
 * @module
 */
import { assert, assertEquals } from "../assert.ts";
import { childrenOf, newPage, paragraph, textsOf } from "../api/driver.ts";
import type { TestApp } from "../support/app.ts";
import { type ServiceProcess, startService } from "./service.ts";

const WRITERS = 8;
/** Acknowledged writes in a round before its end, from the fewest to the most. */
const FEWEST = 5;
const MOST = 60;

export interface Kills {
  readonly acknowledged: number;
  /** Writes that were in flight at an end, and were sent again after it. */
  readonly repeated: number;
}

export interface KillOptions {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How the service ends in each round. */
  readonly signals: readonly Deno.Signal[];
  /** Hears of each round that was found whole. */
  readonly progress?: (round: number) => void;
}

/** Runs so many rounds; throws where anything is lost, doubled or torn. */
export async function killAgainAndAgain(options: KillOptions): Promise<Kills> {
  const { folder, env = {}, signals, progress } = options;
  let acknowledged = 0;
  let repeated = 0;
  let service = await startService(folder, { env });
  try {
    for (const [round, signal] of signals.entries()) {
      const page = await newPage(callerOf(service));
      const most = FEWEST + (round * 17) % (MOST - FEWEST);
      const work = writeUntil(service, { page, most });
      await work.reached;
      const ended = service.end(signal);
      // A stop serves whoever still asks: a balancer has to notice it first.
      if (signal === "SIGTERM") work.enough();
      const { code } = await ended;
      if (signal === "SIGTERM") assertEquals(code, 0, "It ended by itself, and well");
      const { done, open } = await work.result;
      service = await startService(folder, { env });
      // The writes in flight may have happened or not; sent again under their keys they happened once.
      for (const name of open) assertEquals(await append(service, page, name), 200, name);
      const texts = textsOf(await childrenOf(callerOf(service), page));
      assertEquals(texts.toSorted(), [...done, ...open].flatMap(pairOf).toSorted());
      assertWhole(texts);
      acknowledged += done.length;
      repeated += open.length;
      progress?.(round + 1);
    }
  } finally {
    await service.end("SIGKILL");
  }
  return { acknowledged, repeated };
}

interface Work {
  /** Resolves once so many writes were acknowledged. */
  readonly reached: Promise<void>;
  /** Lets each writer end with the answer that it waits for. */
  enough(): void;
  readonly result: Promise<{ readonly done: string[]; readonly open: string[] }>;
}

/** Lets writers write, one request after the other, until the service does not answer. */
function writeUntil(
  service: ServiceProcess,
  { page, most }: { readonly page: string; readonly most: number },
): Work {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const done: string[] = [];
  const open: string[] = [];
  let isEnough = false;
  const writer = async (_: unknown, index: number) => {
    for (let number = 0; !isEnough; number++) {
      const name = `${index}-${number}`;
      const status = await append(service, page, name).catch(() => undefined);
      if (status !== 200) return void open.push(name);
      if (done.push(name) === most) resolve();
    }
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, writer));
  const enough = () => void (isEnough = true);
  return { reached, enough, result: writers.then(() => ({ done, open })) };
}

/** A write of two blocks, so that a torn one would show. */
function pairOf(name: string): string[] {
  return [`${name} first`, `${name} second`];
}

/** Checks that the blocks of one request stand together, in their order. */
function assertWhole(texts: readonly string[]): void {
  for (let index = 0; index < texts.length; index += 2) {
    const [name = ""] = texts[index]?.split(" ") ?? [];
    assertEquals(texts.slice(index, index + 2), pairOf(name));
  }
}

async function append(service: ServiceProcess, page: string, name: string): Promise<number> {
  const response = await fetch(`${service.origin}/v2/blocks/${page}/children`, {
    method: "PATCH",
    headers: { ...service.headers, "idempotency-key": `${page}-${name}` },
    body: JSON.stringify({ children: pairOf(name).map(paragraph) }),
  });
  await response.body?.cancel();
  return response.status;
}

function callerOf({ origin, headers }: ServiceProcess): Pick<TestApp, "call"> {
  return {
    call: async (route, { body } = {}) => {
      const [method = "", path = ""] = route.split(" ");
      const response = await fetch(origin + path, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const { status, headers: fields } = response;
      const text = await response.text();
      assert(status < 500, text);
      return { status, headers: fields, text, json: JSON.parse(text) };
    },
  };
}
