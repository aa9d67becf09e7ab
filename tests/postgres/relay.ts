/**
 * What stands between the service and its database, and can stop passing bytes on.
 *
 * @module
 */

export interface Relay extends AsyncDisposable {
  /** The URL, by way of the relay. */
  readonly url: string;
  /** Connections that were opened so far. */
  readonly opened: number;
  /** From now on passes nothing more of the connections that are open, and does not close them. */
  silence(): void;
  /** From now on passes nothing at all: not of those that are open, nor of those that come. */
  hang(): void;
  /** Passes what comes on new connections. */
  resume(): void;
}

interface Passing {
  readonly ends: readonly Deno.Conn[];
  isSilent: boolean;
}

/** Starts a relay to the server of a URL. */
export function startRelay(url: string): Relay {
  const server = new URL(url);
  const target = { hostname: server.hostname, port: Number(server.port || 5432) };
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const passings = new Set<Passing>();
  const work: Promise<unknown>[] = [];
  let isHung = false;
  let opened = 0;
  const own = new URL(url);
  own.hostname = "127.0.0.1";
  own.port = String(listener.addr.port);

  async function accept(): Promise<void> {
    for await (const client of listener) {
      opened++;
      work.push(pass(client));
    }
  }

  async function pass(client: Deno.Conn): Promise<void> {
    const upstream = await Deno.connect(target).catch(() => undefined);
    if (upstream === undefined) return client.close();
    const passing: Passing = { ends: [client, upstream], isSilent: isHung };
    passings.add(passing);
    await Promise.race([pump(passing, client, upstream), pump(passing, upstream, client)]);
    close(passing);
  }

  function close(passing: Passing): void {
    passings.delete(passing);
    for (const end of passing.ends) {
      try {
        end.close();
      } catch { /* it is closed */ }
    }
  }

  const silence = (): void => passings.forEach((passing) => passing.isSilent = true);
  work.push(accept());
  return {
    url: own.href,
    get opened() {
      return opened;
    },
    silence,
    hang() {
      isHung = true;
      silence();
    },
    resume: () => void (isHung = false),
    async [Symbol.asyncDispose]() {
      listener.close();
      passings.forEach(close);
      await Promise.all(work);
    },
  };
}

/** Passes bytes on until one end closes; those of a silent connection vanish. */
async function pump(passing: Passing, from: Deno.Conn, to: Deno.Conn): Promise<void> {
  const bytes = new Uint8Array(65_536);
  try {
    for (let read = await from.read(bytes); read !== null; read = await from.read(bytes)) {
      for (let at = 0; at < read && !passing.isSilent;) {
        at += await to.write(bytes.subarray(at, read));
      }
    }
  } catch { /* it was closed */ }
}
