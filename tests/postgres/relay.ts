/**
 * A relay between the service and its database that can stop forwarding bytes.
 *
 * @module
 */

export interface Relay extends AsyncDisposable {
  /** URL of the database behind the relay. */
  readonly url: string;
  /** Number of connections opened so far. */
  readonly opened: number;
  /** Stops forwarding on open connections without closing them. */
  silence(): void;
  /** Stops forwarding on open and new connections. */
  hang(): void;
  /** Forwards on new connections again. */
  resume(): void;
}

interface Passing {
  readonly ends: readonly Deno.Conn[];
  isSilent: boolean;
}

/** Starts a relay to a server. */
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

  async function pass(client: Deno.TcpConn): Promise<void> {
    const upstream = await Deno.connect(target).catch(() => undefined);
    if (upstream === undefined) return client.close();
    // Otherwise small messages wait for the acknowledgement of the one before.
    for (const end of [client, upstream]) end.setNoDelay();
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

/** Forwards bytes until one end closes; discards those of a silent connection. */
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
