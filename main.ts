import { start } from "./src/app/start.ts";
import { runService } from "./src/app/run_service.ts";

runService((streams) => start((name) => Deno.env.get(name), streams));
