// What each program shares: where the server is, what it holds, and how an operation is reported.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";

export { assert };

/** `baseUrl`, `token`, `otherToken` (may read pages alone), and `seed`: what `seed.mjs` wrote. */
export const setting = JSON.parse(process.env.SETTING);
export const { baseUrl, token, seed } = setting;

const outcomes = [];

/** Runs one operation of a client, and notes whether it passed. Returns what it returns. */
export async function step(client, operation, run) {
  try {
    const value = await run();
    outcomes.push({ client, operation, passed: true });
    return value;
  } catch (error) {
    outcomes.push({ client, operation, passed: false, why: describe(error) });
    return undefined;
  }
}

/** Hands the outcomes, and a result, to whoever started this program. */
export function finish(result = null) {
  writeFileSync(process.env.OUTCOMES, JSON.stringify({ outcomes, result }));
  process.exit(0);
}

function describe(error) {
  const body = error?.body ?? error?.response?.data ?? error?.context?.data ?? "";
  const detail = typeof body === "string" ? body : JSON.stringify(body);
  return `${error?.stack ?? error}\n${error?.description ?? ""}\n${detail}`.slice(0, 3000);
}

/** Calls the server without any client. */
export async function request(method, path, body, { version = "2022-06-28", bearer = token } = {}) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      "notion-version": version,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

export const text = (content, more = {}) => ({ type: "text", text: { content }, ...more });
export const title = (content) => ({ title: [text(content)] });
export const plain = (items) => items.map(({ plain_text }) => plain_text).join("");

/** Fails unless `whole` contains each of `parts`. */
export function assertContains(whole, parts) {
  const missing = parts.filter((part) => !whole.includes(part));
  assert.deepEqual(missing, [], `missing in:\n${whole.slice(0, 3000)}`);
}
