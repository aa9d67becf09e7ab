/**
 * Records requests and responses of the API's tests for other validators, in the folder that the
 * variable `EXCHANGES` names: one file for each file of tests.
 *
 * @module
 */
import type { Handler } from "../../src/http/pipeline.ts";
import type { Operation } from "./contract.ts";

export interface Exchange {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Path template of the operation; `""` if no operation matches. */
  readonly template: string;
  readonly asked: Message;
  readonly status: number;
  readonly answered: Message;
}

export interface Message {
  readonly headers: [name: string, value: string][];
  /** Body in base64; null if there is none. */
  readonly body: string | null;
}

const ROOT = new URL("../../", import.meta.url).href;

/** Tests elsewhere send bodies that nobody can keep, because they are huge or never end. */
const FOLDERS = ["tests/api/", "tests/notion/"] as const;
/** Folder of tests that are recorded. */
export type RecordedFolder = typeof FOLDERS[number];

export type Recorder = (request: Request, handler: Handler) => Promise<Response>;

/** Wraps a handler to record its requests; undefined unless `EXCHANGES` is set. */
export function openRecorder(operations: readonly Operation[]): Recorder | undefined {
  const folder = exchangesFolder();
  const tests = Deno.mainModule.slice(ROOT.length);
  if (folder === undefined || !FOLDERS.some((path) => tests.startsWith(path))) return undefined;
  const file = `${folder}/${recordName(tests)}`;
  return async (request, handler) => {
    if (!isDocumented(request)) return handler(request);
    const copy = request.clone();
    const response = await handler(request);
    const exchange = await readExchange(copy, response.clone(), operations);
    await Deno.writeTextFile(file, `${JSON.stringify(exchange)}\n`, { append: true });
    return response;
  };
}

/** Reads what was recorded in a folder for these tests. */
export async function readExchanges(
  folder: string,
  tests: readonly RecordedFolder[],
): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    if (!tests.some((path) => name.startsWith(recordName(path)))) continue;
    const lines = (await Deno.readTextFile(`${folder}/${name}`)).trimEnd().split("\n");
    exchanges.push(...lines.map((line) => JSON.parse(line)));
  }
  return exchanges;
}

/** The folder of recorded exchanges; undefined if none is named. */
export function exchangesFolder(): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: "EXCHANGES" });
  return state === "granted" ? Deno.env.get("EXCHANGES") : undefined;
}

function recordName(path: string): string {
  return path.replaceAll("/", "~");
}

/** Routes for operators are in no document, and of HEAD and OPTIONS none says anything. */
function isDocumented({ method, url }: Request): boolean {
  return method !== "HEAD" && method !== "OPTIONS" && /^\/v[12]\//.test(new URL(url).pathname);
}

async function readExchange(
  request: Request,
  response: Response,
  operations: readonly Operation[],
): Promise<Exchange> {
  const { method, url } = request;
  const { pathname, search } = new URL(url);
  const operation = operations.find((one) => one.method === method && one.pattern.test(pathname));
  return {
    method,
    path: pathname + search,
    template: operation?.template ?? "",
    asked: await readMessage(request),
    status: response.status,
    answered: await readMessage(response),
  };
}

async function readMessage(message: Request | Response): Promise<Message> {
  const headers = [...message.headers];
  if (message.body === null) return { headers, body: null };
  return { headers, body: (await message.bytes()).toBase64() };
}
