import { proxyWarning } from "../../src/app/proxy_warning.ts";
import { assertEquals, assertStringIncludes } from "../assert.ts";
import { answering, rectoArgs, rectoEnv } from "../bench/processes.ts";
import { withFolder } from "../support/folders.ts";
import { freePort } from "../support/ports.ts";

const WARNING = "RECTO_TRUSTED_PROXIES is not set";

Deno.test("proxyWarning() warns of a service that others can reach, unless its proxy is known", () => {
  const warns = (host: string, publicUrl?: string, ...trustedProxies: string[]) =>
    proxyWarning({ host, publicUrl, trustedProxies }) !== undefined;
  for (const host of ["0.0.0.0", "::", "192.0.2.1", "10.0.0.1", "recto.example"]) {
    assertEquals(warns(host), true, host);
    assertEquals(warns(host, "https://recto.example", "10.0.0.0/8"), false, host);
  }
  for (const host of ["127.0.0.1", "localhost", "::1"]) {
    assertEquals(warns(host), false, host);
    assertEquals(warns(host, "http://127.0.0.1:8000"), false, host);
    assertEquals(warns(host, "https://recto.example"), true, host);
    assertEquals(warns(host, "https://recto.example", "127.0.0.1"), false, host);
  }
});

/** Starts the service, stops it, and returns the warnings of its log. */
async function warningsOf(
  folder: string,
  variables: Readonly<Record<string, string>>,
): Promise<string[]> {
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: rectoArgs(folder),
    env: { ...rectoEnv(port, folder), ...variables },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const output = new Response(child.stdout).text();
  await answering(port);
  child.kill("SIGTERM");
  await child.status;
  return (await output).trimEnd().split("\n").map((line) => JSON.parse(line))
    .filter(({ level }) => level === "warn").map(({ message }) => message);
}

Deno.test("Case 63: a service that others can reach warns once if it knows no proxy", () =>
  withFolder(async (folder) => {
    const reachable = { RECTO_PUBLIC_URL: "https://recto.example" };
    const [warning = "", ...others] = await warningsOf(folder, reachable);
    assertStringIncludes(warning, WARNING);
    assertEquals(others, []);
    const known = { ...reachable, RECTO_TRUSTED_PROXIES: "127.0.0.1" };
    assertEquals(await warningsOf(folder, known), []);
    assertEquals(await warningsOf(folder, {}), []);
  }));
