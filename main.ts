import { runService } from "./src/app/run_service.ts";
import { start } from "./src/app/start.ts";
import { MEMBER } from "./src/config/processes.ts";
import type { ProcessGroup } from "./src/processes/group.ts";

/** Joins the processes that serve together with this one. */
async function joinOthers(socketPath: string, stop: () => void): Promise<ProcessGroup> {
  const { joinGroup } = await import("./src/processes/group.ts");
  const group = await joinGroup(socketPath);
  group.onStop(stop);
  return group;
}

const isMember = Deno.args[0] === MEMBER;

runService(
  (streams, stop) =>
    start(
      (name) => Deno.env.get(name),
      streams,
      isMember ? (socketPath) => joinOthers(socketPath, stop) : undefined,
    ),
  // The parent of several processes reloads the policy of all.
  { reloads: !isMember },
);
