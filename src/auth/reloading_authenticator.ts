/**
 * An authenticator that is opened anew when what it trusts has changed, which empties its cache.
 *
 * @module
 */
import type { Authenticator } from "./authenticator.ts";
import { challenge, type ChallengeContext } from "./bearer.ts";
import { createChangeWatch } from "./change_watch.ts";

export interface ReloadingOptions {
  /** The names that challenges contain. */
  readonly context: ChallengeContext;
  /** Returns what differs after each change. */
  readonly revision: () => Promise<string | number>;
  readonly open: () => Promise<Authenticator>;
}

export interface ReloadingAuthenticator extends Authenticator {
  /** Opens it or brings it up to date; rejects while that is impossible. */
  refresh(now: number): Promise<void>;
}

/**
 * Creates the authenticator. A caller that it accepted is refused within a second of the change
 * that says so, in every process; meanwhile cached callers cost no query.
 */
export function createReloadingAuthenticator(options: ReloadingOptions): ReloadingAuthenticator {
  const { context, revision, open } = options;
  let current: Authenticator | undefined;
  const watch = createChangeWatch({
    read: revision,
    onChange: async () => {
      current = await open();
    },
  });
  const opened = (): Authenticator => {
    if (current === undefined) throw new Error("No authenticator was opened");
    return current;
  };
  const authenticateLater = async (authorization: string | null, now: number) => {
    await watch.look(now);
    return await opened().authenticate(authorization, now);
  };
  return {
    findCached: (authorization, now) =>
      watch.isCurrent(now) ? current?.findCached(authorization, now) : undefined,
    isCached: (authorization) => current?.isCached(authorization) ?? false,
    authenticate: (authorization, now) =>
      current !== undefined && watch.isCurrent(now)
        ? current.authenticate(authorization, now)
        : authenticateLater(authorization, now),
    checkProof: (caller, request, now) => opened().checkProof(caller, request, now),
    challenge: (challengeOptions) => challenge(context, challengeOptions),
    refresh: watch.look,
  };
}
