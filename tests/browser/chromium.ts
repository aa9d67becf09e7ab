/**
 * A real browser. It needs Chromium; `CHROMIUM` names another one than Debian's.
 *
 * @module
 */
import { type Browser, chromium } from "playwright-core";

/** Starts the browser. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
}
