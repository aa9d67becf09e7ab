import { assert, assertEquals } from "../assert.ts";
import { startService } from "../security/service.ts";
import { withFolder } from "../support/folders.ts";
import { NEW_PAGE } from "../security/support.ts";

const WRITES = 20;

Deno.test("Case 75: the disk has each write before its client hears of it", () =>
  withFolder(async (folder) => {
    const trace = `${folder}/trace.txt`;
    // Beside the service, which stays the child that is ended.
    const under = ["strace", "-D", "-f", "-o", trace, "-e", "trace=fsync,fdatasync"];
    const service = await startService(folder, { under });
    try {
      for (let write = 0; write < WRITES; write++) {
        const before = await syncsIn(trace);
        const response = await fetch(`${service.origin}/v2/pages`, {
          method: "POST",
          headers: service.headers,
          body: JSON.stringify(NEW_PAGE),
        });
        await response.body?.cancel();
        assertEquals(response.status, 200);
        assert(await syncsIn(trace) > before, `Write ${write} was answered before it was synced`);
      }
    } finally {
      await service.end("SIGTERM");
    }
  }));

async function syncsIn(trace: string): Promise<number> {
  return (await Deno.readTextFile(trace)).match(/f(?:data)?sync\(/g)?.length ?? 0;
}
