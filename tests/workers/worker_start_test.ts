import { assertEquals } from "../assert.ts";

const REFUSED = [0, 1, 2, 3, 4, 6, 8, 12, 15];
const STARTED = [16, 17, 20, 30];

Deno.test("Case 64: a Worker that the files left do not suffice for is refused, and ends no service", async () => {
  const left = [...REFUSED, ...STARTED, ...REFUSED];
  const script = new URL("few_files.ts", import.meta.url).pathname;
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: [
      "-c",
      'ulimit -n 160; exec "$0" "$@"',
      Deno.execPath(),
      ...["run", "--config", "tests/deno.json", "--no-prompt", "--allow-read", script],
      ...left.map(String),
    ],
  }).output();
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  const expected = left.map((files) =>
    `${files} ${STARTED.includes(files) ? "compressed" : "service_unavailable"}\n`
  );
  assertEquals(new TextDecoder().decode(stdout), expected.join(""));
});
