const MAX_BYTES = 64 * 1024;

/** Says that the issuer answered with another status than 200. */
export class UnexpectedStatus extends Error {
  override name = "UnexpectedStatus";

  constructor(url: string, readonly status: number) {
    super(`Expected status 200 from "${url}": ${status}`);
  }
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Asks the issuer for a JSON document.
 *
 * Follows no redirect and reads 64 KiB at most. Rejects on every failure; `init.signal` bounds the
 * whole exchange.
 */
export async function fetchJson(url: string, init: RequestInit, fetch: Fetch): Promise<unknown> {
  const response = await fetch(url, { ...init, redirect: "error" });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new UnexpectedStatus(url, response.status);
  }
  return parseIssuerJson(await readBounded(response), url);
}

/** Reads JSON that others wrote at a place; the fault quotes none of it, as V8's would. */
export function parseIssuerJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`Expected JSON from "${place}"`);
  }
}

async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let size = 0;
  let text = "";
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the body.
    if (size > MAX_BYTES) throw new Error(`Expected at most ${MAX_BYTES} bytes from the issuer`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
