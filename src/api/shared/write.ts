/**
 * Writing: decide on what was read, commit, and decide again where somebody else was first.
 *
 * @module
 */
import type { Change } from "../../content/schema/node.ts";
import { AppError } from "../../shared/errors.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import type { Receipt } from "../../store/port.ts";
import { yieldToEventLoop } from "./yield_to_event_loop.ts";
import type { Services } from "./services.ts";
import { withUploads } from "./uploads.ts";

/** What a request does to the content, and the answer that is true once it is done. */
export interface Decided {
  readonly changes: readonly Change[];
  readonly reply: { readonly body: string; readonly etag?: string };
}

type Decide<C> = (call: C) => Promise<Decided>;

type AnyCall = Pick<
  Call<unknown, unknown, unknown>,
  "caller" | "idempotency" | "now" | "body" | "isLarge" | "liftTimeLimit"
>;

// Each conflict is the success of another process, so writers that meet on one page all get through.
const ATTEMPTS = 64;
/** Milliseconds between two attempts at most. */
const LONGEST_PAUSE = 16;
const RECEIPT_LIFE = 24 * 60 * 60 * 1_000;

/**
 * Commits what `decide` makes of the current content, all or nothing. A conflict reads and decides
 * again a few times, then is a `conflict_error`. Uploads that the body names have to be there. A repeated `Idempotency-Key` gets the first answer.
 */
export function write<C extends AnyCall>(
  call: C,
  services: Services,
  decide: Decide<C>,
): Promise<Reply> {
  return writePrepared(call, services, () => Promise.resolve(decide));
}

/** As `write`, once `prepare` has done, before the turn of this write, what takes its time. */
export async function writePrepared<C extends AnyCall>(
  call: C,
  services: Services,
  prepare: (call: C) => Promise<Decide<C>>,
): Promise<Reply> {
  // Before the body is judged again: what it names may be gone since the first answer.
  const first = await firstAnswer(call, services);
  if (first !== undefined) return first;
  const known = await withUploads(services, call);
  const decide = await prepare(known);
  // Writes of one process that meet would refuse each other until their attempts are used up, and a
  // commit checks the nodes it changes alone, not all that was read to decide on it. In turns neither
  // happens; conflicts are left to what other processes write.
  return services.lockWorkspace(call.caller.workspace, () => attempt(known, services, decide));
}

async function attempt<C extends AnyCall>(
  call: C,
  services: Services,
  decide: Decide<C>,
): Promise<Reply> {
  const { store } = services;
  const { workspace } = call.caller;
  let known = call;
  for (let round = 0; round < ATTEMPTS; round++) {
    const first = await firstAnswer(call, services);
    if (first !== undefined) return first;
    if (call.isLarge) await yieldToEventLoop();
    const { changes, reply } = await decide(known);
    if (call.isLarge) await yieldToEventLoop();
    if (changes.length === 0 && call.idempotency === undefined) return reply;
    // From here on the store decides how long it waits, and what is begun is done.
    call.liftTimeLimit();
    const outcome = await store.commit(workspace, changes, receiptOf(call, reply));
    if (outcome === "committed") return reply;
    await pause(round);
    // An upload may have gone meanwhile, which is a fault then and no conflict.
    known = await withUploads(services, call);
  }
  throw new AppError("conflict_error", "The content kept changing meanwhile: try again");
}

/** Waits for a time of its own: writers that kept pace would meet at every attempt. */
function pause(round: number): Promise<void> {
  const longest = Math.min(2 ** round, LONGEST_PAUSE);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}

function receiptOf({ idempotency, now }: AnyCall, reply: Decided["reply"]): Receipt | undefined {
  return idempotency && {
    ...idempotency,
    status: 200,
    etag: reply.etag ?? null,
    body: reply.body,
    createdTime: now,
    expiresTime: now + RECEIPT_LIFE,
  };
}

/** The first answer to a request whose `Idempotency-Key` was used before. */
async function firstAnswer(
  call: Pick<AnyCall, "caller" | "idempotency" | "now">,
  { store }: Services,
): Promise<Reply | undefined> {
  const { idempotency, caller: { workspace }, now } = call;
  const kept = idempotency && await store.receipt(workspace, idempotency.key, now);
  return kept && replay(kept, call);
}

function replay(receipt: Receipt, { idempotency }: Pick<AnyCall, "idempotency">): Reply {
  if (receipt.fingerprint !== idempotency?.fingerprint) {
    throw new AppError("idempotency_key_reused", "Idempotency-Key was used with another body");
  }
  const { body, etag } = receipt;
  return { body, replayed: true, ...(etag !== null && { etag }) };
}
