/**
 * Writes: decide on the current content, commit, and decide again after a conflict.
 *
 * @module
 */
import type { Change } from "../../content/schema/node.ts";
import { confirmDurable } from "../../shared/durable.ts";
import { AppError } from "../../shared/errors.ts";
import type { Text } from "../../shared/long_text.ts";
import type { Call, IdempotencyKey, Reply } from "../../http/endpoint.ts";
import type { Receipt, TransactionPart } from "../../store/port.ts";
import { yieldToEventLoop } from "../../shared/yield_to_event_loop.ts";
import type { Services } from "./services.ts";
import { withStableSchemas } from "./stable_schemas.ts";
import { originalsIn, requireOriginals } from "./references.ts";
import { withUploads } from "./uploads.ts";
import type { Written } from "./write_queue.ts";

/** The changes that a request makes, and the reply once they are committed. */
export interface WriteDecision {
  readonly changes: readonly Change[];
  readonly reply: { readonly body: Text; readonly etag?: string };
  /** ID of the object that the reply shows, if `WriteOptions.current` can show it again. */
  readonly shows?: string;
}

export interface WriteOptions<C> {
  /**
   * Returns the reply with an object as it is now: a repeated `Idempotency-Key` gets it in place of a
   * reply that was too long to be stored.
   */
  readonly current?: (call: C, services: Services, id: string) => Promise<Reply>;
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
 * UTF-16 code units of a reply that is stored though its object could be shown again. Rollups make one
 * of megabytes from a request of some hundred bytes.
 */
const LONGEST_STORED = 65_536;

/**
 * Commits what `decide` returns for the current content, atomically. After a conflict it decides again,
 * up to a number of attempts, and then throws `conflict_error`. Throws `validation_error` if the body
 * names uploads that are missing. A repeated `Idempotency-Key` gets the first reply, or a current one.
 */
export function write<C extends AnyCall>(
  call: C,
  services: Services,
  decide: Decide<C>,
  options: WriteOptions<C> = {},
): Promise<Reply> {
  return writePrepared(call, services, () => Promise.resolve(decide), options);
}

/** Like `write()`, but runs the slow `prepare` step before the turn of the write. */
export async function writePrepared<C extends AnyCall>(
  call: C,
  services: Services,
  prepare: (call: C) => Promise<Decide<C>>,
  options: WriteOptions<C> = {},
): Promise<Reply> {
  // Before the body is checked again: objects that it names may have been deleted since.
  const { state } = services.commits;
  const since = state.undone();
  const first = await firstReply(call, services, options);
  if (first !== undefined) return confirmDurable(state, since).then(() => first);
  const checked = await checkReferences(call, services);
  const decide = await prepare(checked);
  // Without turns, concurrent writes of this process would use up each other's attempts, and a
  // commit only checks the nodes that it changes, not everything that the decision was based on. With
  // them, only writes of other processes conflict.
  const decision = { decide, since, options };
  const { reply, durable } = await services.queueWrite(call.caller.workspace, {
    alone: (locked) => attempt(checked, services, { ...decision, locked }),
    ...(!call.isLarge && { shared: (part) => attemptIn(part, checked, services, decision) }),
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
  readonly options: WriteOptions<C>;
  /** How often something had been undone when the decision began. */
  readonly since: number;
}

interface LockedDecision<C> extends Decision<C> {
  /** Does the write once while no other process writes, if that is possible. */
  readonly locked: () => Promise<Written | undefined>;
}

async function attempt<C extends AnyCall>(
  call: C,
  services: Services,
  decision: LockedDecision<C>,
): Promise<Written> {
  const { state, apply } = services.commits;
  const { workspace } = call.caller;
  // Reads at once: writes of a workspace wait for each other, and reads that wait would delay them.
  const own: Services = { ...services, databases: services.databases.over(services.store) };
  let checked = call;
  let { since } = decision;
  for (let round = 0; round < ATTEMPTS; round++) {
    const first = await firstReply(call, services, decision.options);
    if (first !== undefined) return { reply: first, durable: confirmDurable(state, since) };
    if (call.isLarge) await yieldToEventLoop();
    const decided = await decideOnStableSchemas(checked, own, decision);
    const { changes, reply } = decided;
    if (call.isLarge) await yieldToEventLoop();
    if (changes.length === 0 && call.idempotency === undefined) {
      return { reply, durable: confirmDurable(state, since) };
    }
    // From here on the store decides how long it waits. A commit that has begun is not cancelled.
    call.liftTimeLimit();
    const receipt = receiptOf(call, services, { ...decision.options, decided });
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
 * Decides, and again if that failed and schemas were changed meanwhile: a row that is read before or
 * after such a change of another process may not fit its schema.
 */
async function decideOnStableSchemas<C extends AnyCall>(
  call: C,
  services: Services,
  { decide }: Decision<C>,
): Promise<WriteDecision> {
  try {
    return await decide(call, services);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { workspace } = call.caller;
    return await withStableSchemas(
      services,
      workspace,
      (reading) => decide(call, reading.services),
      { rowsFirst: true },
    );
  }
}

/**
 * Decides and commits once, as a part of a transaction that other writes share. Undefined after a
 * conflict.
 */
async function attemptIn<C extends AnyCall>(
  { reading, commit }: TransactionPart,
  call: C,
  services: Services,
  { decide, options }: Decision<C>,
): Promise<Written | undefined> {
  const store = { ...services.store, ...reading };
  const own: Services = { ...services, store, databases: services.databases.over(store) };
  const first = await firstReply(call, own, options);
  if (first !== undefined) return { reply: first, durable: undefined };
  const decided = await decide(call, own);
  const { changes, reply } = decided;
  if (changes.length > 0 || call.idempotency !== undefined) {
    // From here on the store decides how long it waits. A commit that has begun is not cancelled.
    call.liftTimeLimit();
    const receipt = receiptOf(call, services, { ...options, decided });
    if (await commit(changes, receipt) === "conflict") return undefined;
  }
  return { reply, durable: undefined };
}

/** Waits for a random time, so that concurrent writers do not conflict at every attempt. */
function pause(round: number): Promise<void> {
  const longest = Math.min(2 ** round, LONGEST_PAUSE);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}

function receiptOf<C extends AnyCall>(
  { idempotency, now }: C,
  services: Services,
  { current, decided: { reply, shows } }: WriteOptions<C> & { readonly decided: WriteDecision },
): Receipt | undefined {
  const isShown = current !== undefined && shows !== undefined;
  return idempotency && {
    key: idempotency.key,
    fingerprint: fingerprintOf(idempotency, services),
    status: 200,
    etag: reply.etag ?? null,
    body: isShown && reply.body.length > LONGEST_STORED ? toReference(shows) : String(reply.body),
    createdTime: now,
    expiresTime: now + RECEIPT_LIFE,
  };
}

/**
 * Other fields are hidden from a stored reply when it is sent, but not the names of users, which are
 * also in its texts.
 */
function fingerprintOf(
  { fingerprint }: IdempotencyKey,
  { showsUsers }: Pick<Services, "showsUsers">,
): string {
  return showsUsers ? fingerprint : `${fingerprint} nameless`;
}

/** Stored in place of a reply; no object has its ID alone. */
function toReference(id: string): string {
  return JSON.stringify({ id });
}

const REFERENCE = /^\{"id":"([^"]+)"\}$/;

/** Returns the stored reply if the `Idempotency-Key` was used before. */
async function firstReply<C extends AnyCall>(
  call: C,
  services: Services,
  { current }: WriteOptions<C>,
): Promise<Reply | undefined> {
  const { idempotency, caller: { workspace }, now } = call;
  if (idempotency === undefined) return undefined;
  const receipt = await services.store.receipt(workspace, idempotency.key, now);
  if (receipt === undefined) return undefined;
  if (receipt.fingerprint !== fingerprintOf(idempotency, services)) {
    throw new AppError(
      "idempotency_key_reused",
      "Idempotency-Key was used with another body, or with a token that sees other names of users",
    );
  }
  const { body, etag } = receipt;
  const id = REFERENCE.exec(body)?.[1];
  if (id !== undefined && current !== undefined) {
    return { ...await current(call, services, id), replayed: true };
  }
  return { body, replayed: true, ...(etag !== null && { etag }) };
}
