/**
 * Keeps the policies of a running server those of their files.
 *
 * @module
 */
import type { Log } from "../observe.ts";
import { createCandidateFile } from "./candidate_file.ts";
import { checkPair, type Files, type Pair, readTexts } from "./pair.ts";
import type { Policies, Ruling } from "./policies.ts";
import { createReloader, type Outcome } from "./reload.ts";
import { toRefusal } from "./status.ts";
import { watchFiles } from "./watch.ts";

export interface CurrentOptions<Published> {
  readonly policies: Policies<Published>;
  readonly paths: Files<string>;
  /** What the active ruling was made of. */
  readonly texts: Files<string>;
  /** File of the policy that is tried; undefined where none is. */
  readonly candidate: string | undefined;
  /** `METHOD path` of every endpoint that stands under the policy. */
  readonly routes: readonly string[];
  readonly toRuling: (pair: Pair) => Ruling<Published> | Promise<Ruling<Published>>;
  readonly log: Log;
}

export interface Current {
  /** Reads all files again, as their change does by itself; never rejects. */
  reload(): Promise<Outcome | "failed">;
  /** Takes no more changes. */
  stop(): void;
}

/** Reads the candidate, and takes what changes in the files from now on. */
export async function keepCurrent<Published>(
  options: CurrentOptions<Published>,
): Promise<Current> {
  const { paths, candidate, log } = options;
  const reloadPair = createPairReloader(options);
  const reloadCandidate = createCandidateReloader(options);
  const reload = async () => {
    try {
      const outcome = await reloadPair();
      await reloadCandidate();
      return outcome;
    } catch (error) {
      log.event("error", `Reload failed, the last good policy stays: ${error}`);
      return "failed";
    }
  };
  const onEnd = (reason: unknown) =>
    log.event("warn", `Policy files are not watched, SIGHUP reloads them: ${reason}`);
  // The candidate by itself: it may be in a folder that is not there.
  const groups = [Object.values(paths), candidate === undefined ? [] : [candidate]];
  const stops = groups.map((files) => watchFiles(files, { changed: reload, onEnd }));
  // For the candidate, and for what changed before anyone watched.
  await reload();
  return { reload, stop: () => stops.forEach((stop) => stop()) };
}

function createPairReloader<Published>(
  { policies, paths, texts, routes, toRuling }: CurrentOptions<Published>,
): () => Promise<Outcome> {
  return createReloader({
    active: texts,
    read: () => readTexts(paths),
    check: (found) => checkPair(found, { paths, routes }),
    adopt: async (pair) => policies.adopt(await toRuling(pair)),
    refuse: async (refused) => policies.refuse(await toRefusal(refused, Date.now())),
    restore: () => policies.restore(),
  });
}

function createCandidateReloader<Published>(
  { policies, candidate, routes, log }: CurrentOptions<Published>,
): () => Promise<void> {
  if (candidate === undefined) return () => Promise.resolve();
  const { propose } = policies;
  return createCandidateFile({ file: candidate, routes, propose, log });
}
