/**
 * Calls between two processes, in both directions over one channel.
 *
 * @module
 */

/** Carries messages between two processes, as JSON. */
export interface Channel {
  /** Throws if the channel is closed. */
  send(message: Message): void;
  /** Sets who receives the messages. */
  receive(listener: (message: Message) => void): void;
}

/** A call, or its answer. */
export type Message =
  | { readonly call: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly answer: number; readonly value?: unknown; readonly error?: string };

/** Functions that a process offers. Arguments and results pass as JSON. */
export type Calls<C> = {
  readonly [Name in keyof C]: (...args: never[]) => unknown;
};

export interface Link<Other extends Calls<Other>> {
  /** Calls a function of the other process; rejects if it throws or the link closes. */
  call<Name extends keyof Other & string>(
    name: Name,
    ...args: Parameters<Other[Name]>
  ): Promise<Awaited<ReturnType<Other[Name]>>>;
  /** Rejects all calls without an answer. */
  close(): void;
}

/** Connects a process that offers `own` to one that offers `Other`. */
export function createLink<Other extends Calls<Other>>(
  channel: Channel,
  own: object,
): Link<Other> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const functions = new Map<string, unknown>(Object.entries(own));
  let last = 0;
  let isClosed = false;

  async function answer(call: number, name: string, args: readonly unknown[]): Promise<void> {
    const message = await outcomeOf(functions.get(name), args)
      .then((value) => ({ answer: call, value }), (error) => ({ answer: call, error: `${error}` }));
    if (isClosed) return;
    try {
      channel.send(message);
    } catch {
      // The other process has ended.
    }
  }

  channel.receive((message) => {
    if ("call" in message) return void answer(message.call, message.name, message.args);
    const { answer: call, error, value } = message;
    const pending = waiting.get(call);
    waiting.delete(call);
    if (error === undefined) pending?.resolve(value);
    else pending?.reject(new Error(error));
  });

  return {
    call: (name, ...args) => {
      const pending = Promise.withResolvers<unknown>();
      if (isClosed) return Promise.reject(new Error("The other process has ended"));
      const call = ++last;
      waiting.set(call, pending);
      try {
        channel.send({ call, name, args });
      } catch (error) {
        waiting.delete(call);
        return Promise.reject(error);
      }
      // Sound because the other process answers with what its function of this name returned.
      return pending.promise as ReturnType<Link<Other>["call"]> as Promise<never>;
    },
    close: () => {
      isClosed = true;
      for (const { reject } of waiting.values()) reject(new Error("The other process has ended"));
      waiting.clear();
    },
  };
}

async function outcomeOf(called: unknown, args: readonly unknown[]): Promise<unknown> {
  if (typeof called !== "function") throw new Error("Unknown call");
  return await called(...args);
}
