import { parseOperatorInfo } from "../../src/cli/openapi/info.ts";
import { assertEquals, assertThrows } from "../assert.ts";

const LICENSE = { name: "MIT", url: "https://opensource.org/license/mit" };
const CONTACT = { name: "Field office", url: "https://recto.example", email: "help@recto.example" };

Deno.test("parseOperatorInfo() takes a licence alone, and all that an operator may say", () => {
  const whole = {
    license: LICENSE,
    contact: CONTACT,
    termsOfService: "https://recto.example/terms",
  };
  for (const info of [{ license: LICENSE }, whole]) {
    assertEquals(parseOperatorInfo(JSON.stringify(info)), info);
  }
});

Deno.test("parseOperatorInfo() tells every fault with its place", () => {
  const { message } = assertThrows(
    () => parseOperatorInfo('{ "license": { "name": "", "url": "terms" }, "version": "3" }'),
    Error,
  );
  const places = message.split("\n").map((line) => line.split(":")[0]);
  assertEquals(places, ["spec/info.json", "license.name", "license.url", "version"]);
});
