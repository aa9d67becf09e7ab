/**
 * Sends drawn requests to the real service in a process of its own, and has the document judge every
 * answer.
 *
 * @module
 */
import fc from "fast-check";
import { startRecto } from "../bench/processes.ts";
import { createRandom } from "../support/clusters.ts";
import { type Contract, createContract } from "../support/contract.ts";
import { draftsOf } from "./drafts.ts";
import { type Shot, shotsFrom } from "./mutations.ts";
import { notionDraftsOf } from "./notion_drafts.ts";
import { judgeNotion } from "./notion_judge.ts";
import { makeWorld, type World } from "./world.ts";

/** Requests that are drawn from what is known so far. */
const BATCH = 64;
/** Requests in flight. */
const LANES = 8;
/** Milliseconds, far above the service's own limit of a request. */
const PATIENCE = 60_000;
/** The message to a caller that sends more Markdown than is read at a time: few texts may wait. */
const HASTE = "Too many Markdown texts are waiting";

export interface Deviation {
  readonly issue: string;
  /** As a command that sends the request again; a token is named by its caller. */
  readonly command: string;
}

export interface Outcome {
  readonly sent: number;
  /** How often each status was answered, by method and template. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly deviations: readonly Deviation[];
  /** Milliseconds. */
  readonly slowest: number;
}

export interface FuzzOptions {
  /** The routes that are drawn; by default those of `/v2`. */
  readonly api?: "v1" | "v2";
  /** How many at most; by default until it is over. */
  readonly count?: number;
  readonly isOver?: () => boolean;
  /** From 1; the same for the same requests. */
  readonly seed: number;
  /** Hears how many were sent. */
  readonly progress?: (sent: number) => void;
  /** Hear of the process before the first request and after the last. */
  readonly onStart?: (pid: number) => void;
  readonly onEnd?: (pid: number) => Promise<void>;
}

/** Starts a service, and sends it so many requests. */
export async function fuzz(options: FuzzOptions): Promise<Outcome> {
  const { api = "v2", count = Infinity, isOver = () => false, seed, progress, onStart, onEnd } =
    options;
  await using recto = await startRecto({ RECTO_LOG_LEVEL: "error" });
  const world = await makeWorld(recto, createRandom(seed));
  const contract = createContract(await (await fetch(`${world.origin}/v2/openapi.json`)).text());
  const { drafts, judge } = api === "v1"
    ? { drafts: notionDraftsOf(contract, world), judge: judgeNotion }
    : { drafts: draftsOf(contract, world), judge: contract.judge };
  const shots = shotsFrom(drafts);
  const tally = createTally();
  onStart?.(recto.pid);
  let sent = 0;
  while (sent < count && !isOver()) {
    const numRuns = Math.min(BATCH, count - sent);
    const drawn = fc.sample(shots, { numRuns, seed: seed + sent });
    // Filled before any is sent, so that it does not matter which is answered first.
    const filled = drawn.map((shot) => fill(shot, world));
    const answers = await inLanes(filled, (shot) => fire(shot, { world, judge, tally }));
    for (const answer of answers) world.pool.learn(answer);
    sent += numRuns;
    progress?.(sent);
  }
  await onEnd?.(recto.pid);
  return { sent, ...tally.read() };
}

function fill(shot: Shot, { pool }: World): Shot {
  const { path, body } = shot;
  return {
    ...shot,
    path: pool.fill(path),
    body: body === undefined ? undefined : pool.fill(body),
  };
}

/** Does a work for each of a list, a few at a time; answers in the order of the list. */
async function inLanes<T, U>(list: readonly T[], work: (one: T) => Promise<U>): Promise<U[]> {
  const done: U[] = [];
  const rest = list.entries();
  const lane = async () => {
    for (const [index, one] of rest) done[index] = await work(one);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return done;
}

interface Range {
  readonly world: World;
  readonly judge: Contract["judge"];
  readonly tally: Tally;
}

/** Sends one, and answers the JSON of its answer where that tells what is there. */
async function fire(shot: Shot, { world, judge, tally }: Range): Promise<unknown> {
  const started = performance.now();
  const { method, body = null, caller } = shot;
  const authorization = world.credentials[caller];
  const headers = { ...(authorization !== undefined && { authorization }), ...shot.headers };
  try {
    const request = new Request(world.origin + shot.path, { method, headers, body });
    const response = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    const text = await response.clone().text();
    const issue = isFailure(response, text)
      ? `${response.status}: ${text}`
      : await judge(request, response);
    tally.add(shot, { status: response.status, issue, time: performance.now() - started });
    return response.status === 200 && isJson(response) && text !== "" ? JSON.parse(text) : null;
  } catch (error) {
    tally.add(shot, { status: 0, issue: String(error), time: performance.now() - started });
    return null;
  }
}

/** A method that is none of ours is the caller's fault, whatever the status says; so is haste. */
function isFailure({ status }: Response, body: string): boolean {
  return status >= 500 && status !== 501 && !body.includes(HASTE);
}

function isJson({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("application/json") ?? false;
}

interface Result {
  /** 0 of a request that was not answered. */
  readonly status: number;
  readonly issue: string | undefined;
  readonly time: number;
}

interface Tally {
  add(shot: Shot, result: Result): void;
  read(): Omit<Outcome, "sent">;
}

function createTally(): Tally {
  const counts = new Map<string, Map<number, number>>();
  const deviations: Deviation[] = [];
  let slowest = 0;
  return {
    add(shot, { status, issue, time }) {
      const route = `${shot.method} ${shot.template}`;
      const known = counts.get(route) ?? new Map<number, number>();
      counts.set(route, known.set(status, (known.get(status) ?? 0) + 1));
      if (issue !== undefined) deviations.push({ issue, command: commandOf(shot) });
      slowest = Math.max(slowest, time);
    },
    read: () => ({ counts, deviations, slowest }),
  };
}

function commandOf({ method, path, headers, body, caller }: Shot): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const fields = { authorization: `Bearer $${caller.toUpperCase()}`, ...headers };
  return [
    `curl -X ${method} ${quote(`$ORIGIN${path}`)}`,
    ...Object.entries(fields).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quote(body)}`]),
  ].join(" ");
}
