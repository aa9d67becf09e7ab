/**
 * Runs many clients on several processes over one database, restarts the database meanwhile, then
 * verifies everything that was acknowledged.
 *
 * @module
 */
import { createCaller } from "./caller.ts";
import { createLedger } from "./ledger.ts";
import { type Service, startService } from "./service.ts";
import { setStage, type Stage } from "./stage.ts";
import { checksOf, orderOf } from "./verify.ts";
import { type Client, pick, WORKS } from "./work.ts";

const CLIENTS = 64;
const WORKSPACES = 4;
/** Maximum number of tasks per client. */
const MOST = 1_000_000;

export interface Soaking {
  /** Returns whether to restart the database now, under load. */
  isHalfway(done: number): boolean;
  /** Returns whether clients stop after this many tasks. */
  isOver(done: number): boolean;
}

export interface Soaked {
  /** Acknowledged tasks by kind. */
  readonly done: ReadonlyMap<string, number>;
  /** Repeated requests by status. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Failed checks. */
  readonly issues: readonly string[];
}

interface Team {
  readonly workspace: string;
  readonly stage: Stage;
  readonly clients: readonly Client[];
}

/** Runs the soak test on new servers. */
export async function soak({ isHalfway, isOver }: Soaking): Promise<Soaked> {
  await using service = await startService();
  const refusals = new Map<string, number>();
  const teams = await Promise.all(
    Array.from({ length: WORKSPACES }, (_, index) => gather(service, refusals, index)),
  );
  const done = new Map<string, number>();
  const issues: string[] = [];
  const count = (): number => [...done.values()].reduce((sum, one) => sum + one, 0);
  const { promise: halfway, resolve } = Promise.withResolvers<void>();
  const run = async (client: Client): Promise<void> => {
    for (let piece = 0; !isOver(count()); piece++) {
      const [name, work] = pick(WORKS);
      await attempt(issues, name, () => work(client, client.number * MOST + piece));
      done.set(name, (done.get(name) ?? 0) + 1);
      if (isHalfway(count())) resolve();
    }
  };
  const working = Promise.all(teams.flatMap(({ clients }) => clients.map(run)));
  await Promise.race([halfway, working]);
  // Like a crash.
  await service.cluster.halt("immediate");
  await service.cluster.start();
  await working;
  for (const team of teams) await verify(service, refusals, { team, issues });
  return { done, refusals, issues };
}

async function gather(
  service: Service,
  refusals: Map<string, number>,
  index: number,
): Promise<Team> {
  const workspace = `workspace ${index}`;
  const { ports, mint } = service;
  const callers = await Promise.all(
    Array.from(
      { length: CLIENTS / WORKSPACES },
      async (_, client) =>
        createCaller({ ports, refusals, token: await mint(workspace, `client ${client}`) }),
    ),
  );
  const [first] = callers;
  if (first === undefined) throw new Error("There are no clients");
  const stage = await setStage(first);
  const clients = callers.map((caller, client) => ({
    number: 1 + index * CLIENTS + client,
    caller,
    stage,
    ledger: createLedger(),
  }));
  return { workspace, stage, clients };
}

interface Verifying {
  readonly team: Team;
  readonly issues: string[];
}

/** Verifies the content through each process. */
async function verify(
  { ports, mint }: Service,
  refusals: Map<string, number>,
  { team: { workspace, stage, clients }, issues }: Verifying,
): Promise<void> {
  const token = await mint(workspace, "verifier");
  const ledgers = clients.map(({ ledger }) => ledger);
  const orders = new Set<string>();
  for (const port of ports) {
    const caller = createCaller({ ports: [port], token, refusals });
    for (const [name, check] of checksOf(caller, stage, ledgers)) {
      await attempt(issues, `${name} at the end`, check);
    }
    orders.add(JSON.stringify(await orderOf(caller, stage)));
  }
  if (orders.size !== 1) issues.push("siblings stand in another order in another process");
}

async function attempt(
  issues: string[],
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    issues.push(`${name}: ${error instanceof Error ? error.message : error}`);
  }
}
