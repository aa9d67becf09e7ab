/**
 * Chooses among the servers that a URL names.
 *
 * @module
 */
import { connect as connectSocket, type Socket } from "node:net";
import { ConnectionCut } from "./connection_cut.ts";

export interface Servers {
  /** URL of the first server, without `target_session_attrs`. */
  readonly url: string;
  /** Opens a socket to the server in use, or to the next one that answers. */
  connect(): Promise<Socket>;
  /** Makes the next connection choose a server again. */
  leave(): void;
}

export interface ServerOptions {
  /** Milliseconds in which a server must accept a connection. */
  readonly limit: number;
  /** Returns whether a server accepts writes; called if the URL requires one that does. */
  readonly takesWrites: (server: Servers) => Promise<boolean>;
}

/** Reads `postgres://USER@HOST:PORT,HOST:PORT/DATABASE?target_session_attrs=…`. */
export function createServers(url: string, { limit, takesWrites }: ServerOptions): Servers {
  const { urls, target } = parse(url);
  const all = urls.map((one) => createServer(one, limit));
  const [first] = all;
  if (first === undefined) throw new Error("The URL names no server");
  if (all.length === 1 && target !== "read-write") return first;
  const find = async (): Promise<Servers> => {
    for (const server of all) {
      const isFit = target === "read-write" ? takesWrites(server) : isThere(server);
      if (await isFit.catch(() => false)) return server;
    }
    const lack = target === "read-write" ? "accepts writes" : "answers";
    throw new ConnectionCut(`None of the servers that DATABASE_URL names ${lack}`);
  };
  let found: Promise<Servers> | undefined;
  const leave = (): void => void (found = undefined);
  return {
    url: first.url,
    async connect() {
      const finding = found ??= find();
      try {
        return await (await finding).connect();
      } catch (error) {
        if (found === finding) leave();
        throw error;
      }
    },
    leave,
  };
}

function createServer(url: URL, limit: number): Servers {
  const host = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1");
  const port = Number(url.port || 5432);
  return { url: url.href, connect: () => open(host, port, limit), leave: () => {} };
}

async function isThere(server: Servers): Promise<boolean> {
  (await server.connect()).destroy();
  return true;
}

interface Parsed {
  readonly urls: readonly URL[];
  readonly target: string;
}

// `URL` cannot parse a list of hosts.
function parse(url: string): Parsed {
  const [, start = "", hosts = "", end = ""] = /^([^@]*@)([^/?#]+)(.*)$/.exec(url) ?? [];
  const urls = hosts.split(",").map((host) => new URL(`${start}${host}${end}`));
  const target = urls[0]?.searchParams.get("target_session_attrs") ?? "any";
  for (const one of urls) one.searchParams.delete("target_session_attrs");
  return { urls, target };
}

function open(host: string, port: number, limit: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  // The driver reads the expected name of the certificate from the socket.
  const socket = Object.assign(connectSocket({ host, port }), { host, port });
  const fail = (error: Error): void => {
    clearTimeout(timer);
    socket.destroy();
    reject(error);
  };
  const timer = setTimeout(
    () => fail(new ConnectionCut(`${host}:${port} did not accept a connection in time`)),
    limit,
  );
  socket.once("error", fail);
  socket.once("connect", () => {
    clearTimeout(timer);
    socket.removeListener("error", fail);
    resolve(socket);
  });
  return promise;
}
