/**
 * A process of a service of several: what it shares with the others.
 *
 * @module
 */
import process from "node:process";
import { type Forwarder, isRead } from "../http/forwarder.ts";
import { type Rate, type RateLimiter, UNLIMITED } from "../http/rate_limit.ts";
import type { Rejection } from "../policy_runtime/status.ts";
import type { WorkspaceHolds } from "../store/database.ts";
import type { UsedProofs } from "../store/port.ts";
import { AppError } from "../shared/errors.ts";
import type {
  BundleTexts,
  LimitName,
  MemberCalls,
  MemberStart,
  ParentCalls,
  StorageFailureReport,
} from "./calls.ts";
import type { ProcessCounts } from "./counts.ts";
import {
  createPrimaryClient,
  notReached,
  type PrimaryClient,
  type PrimaryHandlers,
  startPrimaryServer,
} from "./forwarding.ts";
import { createLink, type Link, type Message } from "./link.ts";
import { createSharedRateLimiter } from "./shared_rate_limit.ts";

/** The running service's handlers of the parent's calls. */
export type MemberHandlers = Pick<
  MemberCalls,
  "prepare" | "activate" | "setRejection" | "counts" | "reportFailure"
>;

/** The processes that serve together, as one of them sees them. */
export interface ProcessGroup {
  /** True if this process does what is done once: writes to SQLite, work in the background. */
  readonly isPrimary: boolean;
  /** True if the whole service starts. */
  readonly isFirst: boolean;
  readonly processes: number;
  /** The active policy and document; undefined if this process reads the files. */
  readonly texts: BundleTexts | undefined;
  readonly rejection: Rejection | undefined;
  readonly usedProofs: UsedProofs;
  /** Creates a limiter of which all processes share the buckets. */
  limitRate(name: LimitName, rate: Rate | undefined): RateLimiter;
  /** Creates the forwarder to the primary; `forwardsWrites` if it alone may write. */
  createForwarder(forwardsWrites: boolean): Forwarder;
  /** Sends bytes to `ownCalls` of the primary. */
  callPrimary(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>;
  /** Serves the other processes, as the primary. */
  servePrimary(handlers: PrimaryHandlers): void;
  /** Says that this process is about to listen; resolves once it has the policy of all others. */
  join(texts: BundleTexts, handlers: MemberHandlers): Promise<void>;
  /** Says that this process listens. */
  ready(): void;
  switchPolicy(texts: BundleTexts, digest: string): Promise<void>;
  shareRejection(rejection: Rejection | undefined): void;
  reportFailure(failure: StorageFailureReport): void;
  /** Lets the other processes hold a workspace; resolves, once they do, to what releases it. */
  holdElsewhere(workspace: string): Promise<() => Promise<void>>;
  /** Sets how this process holds workspaces. Those that the others hold already are refused. */
  followHolds(holds: WorkspaceHolds): void;
  /** Returns the counts of all other processes; without those that do not answer. */
  counts(): Promise<readonly ProcessCounts[]>;
  /** Sets what to do when the parent stops this process or has ended. */
  onStop(stop: () => void): void;
  onReload(reload: () => Promise<void>): void;
  /** Resolves once no other process needs this one; stops serving them. */
  finish(): Promise<void>;
}

/** Milliseconds that requests wait for a primary that is being replaced. */
const PATIENCE = 5_000;

/** Joins the group whose parent started this process; `socketPath` is where the primary listens. */
export async function joinGroup(socketPath: string): Promise<ProcessGroup> {
  const primary = createPrimaryState(socketPath);
  const holds = createOwnHolds();
  const finished = Promise.withResolvers<void>();
  let stop = (): void => Deno.exit(0);
  let reload = (): Promise<void> => Promise.resolve();
  let handlers: MemberHandlers | undefined;
  let server: Deno.HttpServer | undefined;
  const joined = (): MemberHandlers => {
    if (handlers === undefined) throw new Error("This process has not joined");
    return handlers;
  };
  const own: MemberCalls = {
    setPrimary: primary.setUp,
    prepare: (texts) => joined().prepare(texts),
    activate: () => joined().activate(),
    setRejection: (rejection) => joined().setRejection(rejection),
    counts: () => joined().counts(),
    reportFailure: (failure) => joined().reportFailure(failure),
    ...holds.calls,
    reload: () => reload(),
    stop: () => stop(),
    finish: finished.resolve,
  };
  const parent = createLink<ParentCalls>(createParentChannel(), own);
  // Without the parent, nobody would replace a process or tell it to stop.
  process.on("disconnect", () => {
    parent.close();
    finished.resolve();
    stop();
  });
  const start: MemberStart = await parent.call("begin");
  primary.setUp(start.hasPrimary);
  holds.begin(start.held);
  return {
    ...start,
    texts: start.texts ?? undefined,
    rejection: start.rejection ?? undefined,
    ...shareLimits(parent, start),
    ...reachPrimary(primary),
    servePrimary: (served) => {
      server = startPrimaryServer(socketPath, served);
    },
    join: async (texts, given) => {
      handlers = given;
      await parent.call("join", texts);
    },
    ready: () => ignore(parent.call("ready")),
    switchPolicy: (texts, digest) => parent.call("switchPolicy", texts, digest),
    shareRejection: (rejection) => ignore(parent.call("setRejection", rejection ?? null)),
    reportFailure: (failure) => ignore(parent.call("reportFailure", failure)),
    counts: () => parent.call("counts"),
    holdElsewhere: holdThrough(parent),
    followHolds: holds.follow,
    onStop: (given) => {
      stop = given;
    },
    onReload: (given) => {
      reload = given;
    },
    finish: async () => {
      if (start.isPrimary) await finished.promise;
      await server?.shutdown();
      primary.close();
    },
  };
}

/** Rate limits and used proofs, which the parent keeps. */
function shareLimits(
  parent: Link<ParentCalls>,
  { processes }: MemberStart,
): Pick<ProcessGroup, "limitRate" | "usedProofs"> {
  return {
    usedProofs: {
      useProof: async (id, expiresTime, now) => {
        const isNew = await parent.call("useProof", id, expiresTime, now);
        if (isNew === null) throw tooManyProofs();
        return isNew;
      },
    },
    limitRate: (name, rate) =>
      rate === undefined ? UNLIMITED : createSharedRateLimiter(rate, {
        name,
        processes,
        buckets: {
          take: (key, count) => parent.call("take", name, rate, key, count),
          refund: (key, count) => ignore(parent.call("refund", name, key, count)),
        },
      }),
  };
}

function reachPrimary(
  primary: PrimaryState,
): Pick<ProcessGroup, "createForwarder" | "callPrimary"> {
  return {
    createForwarder: (forwardsWrites) => ({
      takes: (endpoint) => endpoint.needsPrimary === true || (forwardsWrites && !isRead(endpoint)),
      forward: async (request, connection) =>
        await (await primary.client()).forward(request, connection),
    }),
    callPrimary: async (bytes) => await (await primary.client()).send(bytes),
  };
}

function createParentChannel() {
  return {
    send: (message: Message) => {
      if (process.send === undefined) throw new Error("There is no parent");
      process.send(message);
    },
    // Sound because the parent sends messages of this type alone.
    receive: (listener: (message: Message) => void) =>
      void process.on("message", (message) => listener(message as Message)),
  };
}

/** For what is only told: if the parent has ended, this process stops as well. */
function ignore(call: Promise<unknown>): void {
  call.catch(() => {});
}

function tooManyProofs(): AppError {
  return new AppError("service_unavailable", "Too many DPoP proofs: try again", {
    headers: { "retry-after": "5" },
  });
}

/** The workspaces that this process holds, also before it can read any. */
function createOwnHolds() {
  const before = new Set<string>();
  let following: WorkspaceHolds | undefined;
  return {
    begin(held: readonly string[]): void {
      for (const workspace of held) before.add(workspace);
    },
    follow(holds: WorkspaceHolds): void {
      following = holds;
      for (const workspace of before) holds.refuse(workspace);
    },
    calls: {
      async hold(workspace: string): Promise<void> {
        if (following === undefined) before.add(workspace);
        else await following.hold(workspace);
      },
      release(workspace: string): void {
        before.delete(workspace);
        // Reads of what it was may go on.
        void following?.release(workspace);
      },
    },
  };
}

function holdThrough(parent: Link<ParentCalls>): ProcessGroup["holdElsewhere"] {
  return async (workspace) => {
    await parent.call("hold", workspace);
    return () => parent.call("release", workspace);
  };
}

interface PrimaryState {
  setUp(isUp: boolean): void;
  /** Returns the client of the primary; waits for a while if it is being replaced. */
  client(): Promise<PrimaryClient>;
  close(): void;
}

function createPrimaryState(path: string): PrimaryState {
  let current: PrimaryClient | undefined;
  let up = Promise.withResolvers<PrimaryClient>();
  return {
    setUp: (isUp) => {
      if (isUp === (current !== undefined)) return;
      if (isUp) {
        current = createPrimaryClient(path);
        up.resolve(current);
      } else {
        // Requests in flight still use it.
        current = undefined;
        up = Promise.withResolvers();
      }
    },
    client: () => current === undefined ? withinPatience(up.promise) : Promise.resolve(current),
    close: () => current?.close(),
  };
}

async function withinPatience<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(notReached(new Error("It is being replaced"))), PATIENCE);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
