/**
 * Writes: decide on the current content, commit, and decide again after a conflict.
 *
 * @module
 */
import type { Change } from "../../content/schema/node.ts";
import { confirmDurable } from "../../shared/durable.ts";
import { AppError } from "../../shared/errors.ts";
import type { Text } from "../../shared/long_text.ts";
import type { Call, Reply } from "../../http/endpoint.ts";
import type { Receipt, TransactionPart } from "../../store/port.ts";
import { yieldToEventLoop } from "../../shared/yield_to_event_loop.ts";
import type { Services } from "./services.ts";
import { originalsIn, requireOriginals } from "./references.ts";
import { withUploads } from "./uploads.ts";
import type { Written } from "./write_queue.ts";

/** The changes that a request makes, and the reply once they are committed. */
export interface WriteDecision {
  readonly changes: readonly Change[];
  readonly reply: { readonly body: Text; readonly etag?: string };
}

type Decide<C> = (call: C, services: Services) => Promise<WriteDecision>;

type AnyCall = Pick<
  Call<unknown, unknown, unknown>,
  "caller" | "idempotency" | "now" | "body" | "isLarge" | "liftTimeLimit"
>;

// Each conflict means that another process succeeded, so concurrent writers of a page all get through.
const ATTEMPTS = 64;
/** Maximum milliseconds between two attempts. */
const LONGEST_PAUSE = 16;
const RECEIPT_LIFE = 24 * 60 * 60 * 1_000;

/**
 * Commits what `decide` returns for the current content, atomically. After a conflict it decides again,
 * up to a number of attempts, and then throws `conflict_error`. Throws `validation_error` if the body
 * names uploads that are missing. A repeated `Idempotency-Key` gets the first reply.
 */
export function write<C extends AnyCall>(
  call: C,
  services: Services,
  decide: Decide<C>,
): Promise<Reply> {
  return writePrepared(call, services, () => Promise.resolve(decide));
}

/** Like `write()`, but runs the slow `prepare` step before the turn of the write. */
export async function writePrepared<C extends AnyCall>(
  call: C,
  services: Services,
  prepare: (call: C) => Promise<Decide<C>>,
): Promise<Reply> {
  // Before the body is checked again: objects that it names may have been deleted since.
  const { state } = services.commits;
  const since = state.undone();
  const first = await firstReply(call, services);
  if (first !== undefined) return confirmDurable(state, since).then(() => first);
  const checked = await checkReferences(call, services);
  const decide = await prepare(checked);
  // Without turns, concurrent writes of this process would use up each other's attempts, and a
  // commit only checks the nodes that it changes, not everything that the decision was based on. With
  // them, only writes of other processes conflict.
  const decision = { decide, since };
  const { reply, durable } = await services.queueWrite(call.caller.workspace, {
    alone: (locked) => attempt(checked, services, { ...decision, locked }),
    ...(!call.isLarge && { shared: (part) => attemptIn(part, checked, services, decide) }),
  });
  // After the turn, so that the next write may share the sync to the disk.
  await durable;
  return reply;
}

/** Checks what the body refers to; resolves to the call with its uploads. */
async function checkReferences<C extends AnyCall>(call: C, services: Services): Promise<C> {
  const checked = await withUploads(services, call);
  if (call.isLarge) await yieldToEventLoop();
  await requireOriginals(services, call.caller.workspace, originalsIn(call.body));
  return checked;
}

interface Decision<C> {
  readonly decide: Decide<C>;
  /** How often something had been undone when the decision began. */
  readonly since: number;
  /** Does the write once while no other process writes, if that is possible. */
  readonly locked: () => Promise<Written | undefined>;
}

async function attempt<C extends AnyCall>(
  call: C,
  services: Services,
  decision: Decision<C>,
): Promise<Written> {
  const { state, apply } = services.commits;
  const { workspace } = call.caller;
  // Reads at once: writes of a workspace wait for each other, and reads that wait would delay them.
  const own: Services = { ...services, databases: services.databases.over(services.store) };
  let checked = call;
  let { since } = decision;
  for (let round = 0; round < ATTEMPTS; round++) {
    const first = await firstReply(call, services);
    if (first !== undefined) return { reply: first, durable: confirmDurable(state, since) };
    if (call.isLarge) await yieldToEventLoop();
    const { changes, reply } = await decision.decide(checked, own);
    if (call.isLarge) await yieldToEventLoop();
    if (changes.length === 0 && call.idempotency === undefined) {
      return { reply, durable: confirmDurable(state, since) };
    }
    // From here on the store decides how long it waits. A commit that has begun is not cancelled.
    call.liftTimeLimit();
    const receipt = receiptOf(call, reply);
    const { outcome, durable } = await apply(workspace, changes, { receipt, since });
    if (outcome === "committed") return { reply, durable };
    const written = await decision.locked();
    if (written !== undefined) return written;
    await pause(round);
    since = state.undone();
    // If an upload expired in the meantime, the next attempt reports it as a validation error.
    checked = await checkReferences(call, services);
  }
  throw new AppError(
    "conflict_error",
    "The content was changed by other requests at the same time: try again",
  );
}

/**
 * Decides and commits once, as a part of a transaction that other writes share. Undefined after a
 * conflict.
 */
async function attemptIn<C extends AnyCall>(
  { reading, commit }: TransactionPart,
  call: C,
  services: Services,
  decide: Decide<C>,
): Promise<Written | undefined> {
  const store = { ...services.store, ...reading };
  const own: Services = { ...services, store, databases: services.databases.over(store) };
  const first = await firstReply(call, own);
  if (first !== undefined) return { reply: first, durable: undefined };
  const { changes, reply } = await decide(call, own);
  if (changes.length > 0 || call.idempotency !== undefined) {
    // From here on the store decides how long it waits. A commit that has begun is not cancelled.
    call.liftTimeLimit();
    if (await commit(changes, receiptOf(call, reply)) === "conflict") return undefined;
  }
  return { reply, durable: undefined };
}

/** Waits for a random time, so that concurrent writers do not conflict at every attempt. */
function pause(round: number): Promise<void> {
  const longest = Math.min(2 ** round, LONGEST_PAUSE);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}

function receiptOf(
  { idempotency, now }: AnyCall,
  reply: WriteDecision["reply"],
): Receipt | undefined {
  return idempotency && {
    ...idempotency,
    status: 200,
    etag: reply.etag ?? null,
    body: String(reply.body),
    createdTime: now,
    expiresTime: now + RECEIPT_LIFE,
  };
}

/** Returns the stored reply if the `Idempotency-Key` was used before. */
async function firstReply(
  call: Pick<AnyCall, "caller" | "idempotency" | "now">,
  { store }: Services,
): Promise<Reply | undefined> {
  const { idempotency, caller: { workspace }, now } = call;
  const receipt = idempotency && await store.receipt(workspace, idempotency.key, now);
  return receipt && replay(receipt, call);
}

function replay(receipt: Receipt, { idempotency }: Pick<AnyCall, "idempotency">): Reply {
  if (receipt.fingerprint !== idempotency?.fingerprint) {
    throw new AppError("idempotency_key_reused", "Idempotency-Key was used with another body");
  }
  const { body, etag } = receipt;
  return { body, replayed: true, ...(etag !== null && { etag }) };
}
