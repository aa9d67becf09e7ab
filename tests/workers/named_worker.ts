/**
 * A Worker that answers each message with a name of its own.
 *
 * @module
 */
import { parentPort } from "node:worker_threads";

if (parentPort === null) throw new Error("named_worker.ts must run in a Worker");
const port = parentPort;
const name = crypto.randomUUID();

port.on("message", () => port.postMessage(name));
port.postMessage("ready");
