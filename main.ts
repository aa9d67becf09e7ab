import { runService } from "./src/app/run_service.ts";
import { start } from "./src/app/start.ts";
import { SCHEDULED } from "./src/config/backup_schedule.ts";
import { MEMBER } from "./src/config/processes.ts";

const isMember = Deno.args[0] === MEMBER;

runService({
  isMember,
  start(streams, stop) {
    const joinOthers = async (socketPath: string) => {
      const { joinGroup } = await import("./src/processes/group.ts");
      const group = await joinGroup(socketPath);
      group.onStop(stop);
      return group;
    };
    return start((name) => Deno.env.get(name), streams, {
      ...(isMember && { joinGroup: joinOthers }),
      isScheduled: Deno.args.includes(SCHEDULED),
    });
  },
});
