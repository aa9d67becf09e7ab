/**
 * The reference: a bare `Deno.serve` that selects the version of one node and then sends one
 * response. The command line defines both as JSON.
 *
 * @module
 */
import postgres from "postgres";
import { driverOptions } from "../../../src/store/postgres/driver.ts";

const [port = "0", options = "{}"] = Deno.args;
const { url, connections, workspace, id, body, headers } = JSON.parse(options);
const sql = postgres(url, { ...driverOptions(url), max: connections });
const init = { headers };

Deno.serve(
  { hostname: "127.0.0.1", port: Number(port), onListen: () => {}, automaticCompression: false },
  async () => {
    const [row] = await sql`
      SELECT n.version FROM nodes n WHERE n.workspace_id = ${workspace} AND n.id = ${id}`;
    return row === undefined ? new Response(null, { status: 404 }) : new Response(body, init);
  },
);
