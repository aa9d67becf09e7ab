import fc from "fast-check";
import { createAddressOf } from "../../src/http/client_address.ts";
import { assertEquals } from "../assert.ts";

const PROXIES = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"];

function addressOf(
  hostname: string,
  headers: Readonly<Record<string, string>> = {},
  proxies: readonly string[] = PROXIES,
): string {
  const remoteAddr = { transport: "tcp", hostname, port: 1 } as const;
  const connection = { remoteAddr, completed: Promise.resolve() };
  return createAddressOf(proxies)(connection, new Map(Object.entries(headers)));
}

Deno.test("createAddressOf() returns IPv4 addresses whole and IPv6 addresses by /64, in any spelling", () => {
  assertEquals(addressOf("192.0.2.1"), "192.0.2.1");
  assertEquals(addressOf("::ffff:192.0.2.1"), "192.0.2.1");
  assertEquals(addressOf("2001:db8:0:1::5"), "2001:db8:0:1::/64");
  assertEquals(addressOf("2001:0DB8:0000:0001:ffff::1"), "2001:db8:0:1::/64");
});

Deno.test("createAddressOf() trusts only addresses that a trusted proxy added, the nearest first", () => {
  const list = (value: string) => addressOf("127.0.0.1", { "x-forwarded-for": value });
  assertEquals(list("192.0.2.1"), "192.0.2.1");
  assertEquals(list("8.8.8.8, 192.0.2.1"), "192.0.2.1");
  assertEquals(list("192.0.2.1, 10.0.0.7,10.0.0.8"), "192.0.2.1");
  assertEquals(list("[2001:db8::1]:80, fd00::1"), "2001:db8:0:0::/64");
  assertEquals(list("192.0.2.1:4711"), "192.0.2.1");
  assertEquals(list("10.0.0.7"), "10.0.0.7");
  // Nobody is named behind this place, so the last proxy counts.
  for (const nobody of ["", "unknown", "8.8.8.8, ", "8.8.8.8, x", "8.8.8.8 10.0.0.1"]) {
    assertEquals(list(nobody), "127.0.0.1", nobody);
  }
  assertEquals(addressOf("192.0.2.9", { "x-forwarded-for": "8.8.8.8" }), "192.0.2.9");
  assertEquals(addressOf("127.0.0.1", { "x-forwarded-for": "8.8.8.8" }, []), "127.0.0.1");
});

Deno.test("createAddressOf() reads Forwarded the same way, and ignores both fields if both are present", () => {
  const standard = (value: string) => addressOf("10.0.0.1", { forwarded: value });
  assertEquals(standard("for=192.0.2.1"), "192.0.2.1");
  assertEquals(standard('For="[2001:db8::1]:4711";proto=https'), "2001:db8:0:0::/64");
  assertEquals(standard("for=8.8.8.8, proto=https;for=192.0.2.1;by=10.0.0.1"), "192.0.2.1");
  assertEquals(standard("for=8.8.8.8, for=_hidden"), "10.0.0.1");
  assertEquals(standard("for=unknown"), "10.0.0.1");
  assertEquals(standard("by=8.8.8.8"), "10.0.0.1");
  const both = { "x-forwarded-for": "192.0.2.1", forwarded: "for=8.8.8.8" };
  assertEquals(addressOf("10.0.0.1", both), "10.0.0.1");
});

Deno.test("createAddressOf() ignores forged addresses at the front of the list", () => {
  fc.assert(fc.property(fc.string(), fc.ipV4(), (front, told) => {
    const client = `192.0.2.${told.length}`;
    assertEquals(addressOf("10.0.0.1", { "x-forwarded-for": `${front}, ${client}` }), client);
    assertEquals(addressOf(client, { "x-forwarded-for": front, forwarded: told }), client);
  }));
});

Deno.test("createAddressOf() reads at most 32 proxies, and takes the last of more for the client", () => {
  const through = (count: number) => ["192.0.2.1", ...Array(count).fill("10.0.0.7"), "10.0.0.8"];
  for (const [count, client] of [[30, "192.0.2.1"], [31, "10.0.0.7"], [900, "10.0.0.7"]] as const) {
    const list = through(count);
    assertEquals(addressOf("10.0.0.1", { "x-forwarded-for": list.join(",") }), client);
    const standard = list.map((address) => `for=${address}`).join(", ");
    assertEquals(addressOf("10.0.0.1", { forwarded: standard }), client);
  }
});

Deno.test("createAddressOf() takes one for parameter of an element, quoted or not, and nothing else", () => {
  const standard = (value: string) => addressOf("10.0.0.1", { forwarded: value });
  for (
    const value of ['proto=https; for = "192.0.2.1:80" ', "x;FOR=192.0.2.1", ';;for="192.0.2.1"']
  ) {
    assertEquals(standard(value), "192.0.2.1", value);
  }
  for (
    const value of [
      ...['for="192.0.2.1', 'for=192.0.2.1"', "xfor=192.0.2.1", "for", "=192.0.2.1"],
      ...['by="x;for=192.0.2.1"', "for=;for=192.0.2.1", `for=${" ".repeat(15_900)}"192.0.2.1`],
    ]
  ) {
    assertEquals(standard(value), "10.0.0.1", value);
  }
});
