/**
 * Uploads and reads files as a client does.
 *
 * @module
 */
import { assertEquals } from "../assert.ts";
import { type Answer, type Json, ORIGIN, type TestApp } from "../support/app.ts";

export const PNG = "image/png";

/** An announced file. */
export interface Announced {
  readonly id: string;
  readonly url: string;
  readonly completeUrl: string | undefined;
}

/** Creates an upload; by default for arbitrary bytes. */
export async function announce(
  app: Pick<TestApp, "call">,
  body: Readonly<Record<string, Json>> = {},
  token?: string,
): Promise<Announced> {
  const answer = await app.call("POST /v2/files/upload-url", {
    body,
    ...(token !== undefined && { token }),
  });
  assertEquals(answer.status, 200, answer.text);
  const { id, upload_url: url, complete_url: completeUrl } = answer.json;
  return { id, url, completeUrl };
}

/** Sends a request to a signed URL of the service, without a token. */
export async function fetchOwn(
  { app }: Pick<TestApp, "app">,
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  return await app.handler(new Request(url, init));
}

export interface Sending {
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends bytes as they are. */
export async function put(
  app: Pick<TestApp, "app">,
  url: string,
  body: BodyInit,
  { type, headers = {} }: Sending = {},
): Promise<Answer> {
  const fields = { ...(type !== undefined && { "content-type": type }), ...headers };
  return answerOf(await fetchOwn(app, url, { method: "PUT", body, headers: fields }));
}

/** Sends a form. */
export async function post(
  app: Pick<TestApp, "app">,
  url: string,
  fields: Readonly<Record<string, string | File>> = {},
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return answerOf(await fetchOwn(app, url, { method: "POST", body: form }));
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text);
    },
  };
}

/** Uploads a file and returns its id. */
export async function upload(
  app: Pick<TestApp, "app" | "call">,
  content: BodyInit = "content",
  body: Readonly<Record<string, Json>> = { filename: "a.txt", content_type: "text/plain" },
): Promise<string> {
  const { id, url } = await announce(app, body);
  const type = typeof body.content_type === "string" ? { type: body.content_type } : {};
  const sent = await put(app, url, content, type);
  assertEquals(sent.status, 200, sent.text);
  return id;
}

/** The bytes of a response; each chunk is valid only until the next one is read. */
export async function bytesOf({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk.slice());
  return await new Blob(chunks).bytes();
}

/** Every file in the data folder's `files`. */
export function filesIn(folder: string): string[] {
  const names: string[] = [];
  const visit = (path: string): void => {
    for (const entry of Deno.readDirSync(path)) {
      if (entry.isDirectory) visit(`${path}/${entry.name}`);
      else names.push(`${path}/${entry.name}`.slice(folder.length + 1));
    }
  };
  try {
    visit(`${folder}/files`);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return names.sort();
}

/** The path and query of a URL of the service. */
export function isOwn(url: string): boolean {
  return url.startsWith(`${ORIGIN}/files/content/`);
}
