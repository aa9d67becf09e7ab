/**
 * Runs a PostgreSQL server in a temporary folder, on a free port.
 *
 * @module
 */
import { freePort } from "../support/ports.ts";

export interface Cluster {
  /** URL of the database `postgres`, for a superuser. */
  readonly url: string;
  /** Path of its certificate, which is for `localhost` and signed by itself; none without `tls`. */
  readonly certificate: string;
  /** Stops the server, as a crash or an operator would; `start` starts it again. */
  halt(mode: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  /** Promotes a standby. */
  promote(): Promise<void>;
  /** Returns the server's log. */
  log(): Promise<string>;
  /** Process ID of the postmaster. */
  pid(): Promise<number>;
  /** Stops it for good and removes its folder. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ClusterOptions {
  /** True if a commit waits for the disk; a test need not, a benchmark must. Default false. */
  readonly fsync?: boolean;
  /** Additional settings, as `name=value`. */
  readonly settings?: readonly string[];
  /** Parent of its folder; default: the system's temporary folder. */
  readonly dir?: string;
  /** True if it also takes connections with TLS. Default false. */
  readonly tls?: boolean;
  /** URL of the primary, if this is a standby. */
  readonly standbyOf?: string;
}

const USER = "recto";

/** Starts a server; rejects if PostgreSQL is not installed. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const bin = findPrograms();
  const folder = await Deno.makeTempDir({
    prefix: "recto-pg-",
    ...(options.dir !== undefined && { dir: options.dir }),
  });
  const data = `${folder}/data`;
  // The server refuses to run as root.
  const isRoot = Deno.uid() === 0;
  if (isRoot) await run(["chown", "postgres", folder]);
  const asServer = (command: readonly string[]) =>
    run(
      isRoot
        ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", ...command]
        : command,
    );
  await asServer(
    options.standbyOf === undefined
      ? [
        ...[`${bin}/initdb`, "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync"],
        // Not the collation of our keys, so that tests notice a missing COLLATE.
        ...["--locale-provider=icu", "--icu-locale=en", "--locale=C.UTF-8"],
      ]
      : [
        ...[`${bin}/pg_basebackup`, "-D", data, "-d", options.standbyOf, "-R", "-c", "fast"],
        "--no-sync",
      ],
  );
  const [key, certificate] = [`${folder}/key.pem`, `${folder}/certificate.pem`];
  if (options.tls) await asServer(createCertificate(key, certificate));
  const port = freePort();
  const settings = [
    ...[`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`],
    ...["max_connections=300", `fsync=${options.fsync ? "on" : "off"}`],
    ...(options.tls ? ["ssl=on", `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`] : []),
    ...options.settings ?? [],
  ];
  const control = (...words: readonly string[]) =>
    asServer([`${bin}/pg_ctl`, "-D", data, "-w", ...words]);
  const start = () =>
    control("-l", `${folder}/log`, "-o", settings.map((one) => `-c ${one}`).join(" "), "start");
  await start();
  return {
    url: `postgres://${USER}@127.0.0.1:${port}/postgres`,
    certificate,
    halt: (mode) => control("-m", mode, "stop"),
    start,
    promote: () => control("promote"),
    log: () => Deno.readTextFile(`${folder}/log`),
    pid: async () => parseInt(await Deno.readTextFile(`${data}/postmaster.pid`)),
    async [Symbol.asyncDispose]() {
      await control("-m", "immediate", "stop").catch(() => {}); // a test may have stopped it
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Returns the command that writes a key and a certificate. */
function createCertificate(key: string, certificate: string): string[] {
  return [
    ...["openssl", "req", "-x509", "-noenc", "-days", "2"],
    ...["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
    // A certificate of an authority would not be accepted as that of a server.
    ...["-extensions", "v3_req", "-addext", "subjectAltName=DNS:localhost"],
    ...["-subj", "/CN=localhost", "-keyout", key, "-out", certificate],
  ];
}

/** Returns the folder of the newest installed server, in Debian's layout. */
function findPrograms(): string {
  const root = "/usr/lib/postgresql";
  const versions = [...readDirectory(root)].map(({ name }) => name);
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) throw new Error(`PostgreSQL is not installed: nothing in ${root}`);
  return `${root}/${newest}/bin`;
}

function readDirectory(path: string): Iterable<Deno.DirEntry> {
  try {
    return Deno.readDirSync(path);
  } catch {
    return [];
  }
}

async function run([command = "", ...args]: readonly string[]): Promise<void> {
  // Not piped: the server would hold the pipe open for as long as it lives.
  const { success } = await new Deno.Command(command, { args, stdout: "null", stderr: "inherit" })
    .output();
  if (!success) throw new Error(`${command} ${args.join(" ")} failed`);
}
