import { assertEquals, assertThrows } from "../assert.ts";
import { readSteps } from "./page.ts";

const FENCE = "```";

function block(language: string, text: string): string {
  return `${FENCE}${language}\n${text}\n${FENCE}\n`;
}

function kindsOf(page: string): string[] {
  return readSteps(page).map(({ kind }) => kind);
}

Deno.test("a block of a shell is run, whatever the shell is called", () => {
  for (const language of ["sh", "bash", "zsh", "shell"]) {
    assertEquals(kindsOf(block(language, "date")), ["shell"], language);
  }
  for (const language of ["console", "shell-session", "terminal", ""]) {
    assertEquals(kindsOf(block(language, "$ date\nSunday")), ["console"], language);
  }
  for (const language of ["json", "nginx", "yaml", "ts", ""]) {
    assertEquals(kindsOf(block(language, "date")), [], language);
  }
});

Deno.test("a block in a list is run without its indentation", () => {
  const [step] = readSteps(
    `1. First\n\n   ${FENCE}sh\n   if true; then\n     date\n   fi\n   ${FENCE}\n`,
  );
  assertEquals(step, { kind: "shell", line: 3, text: "if true; then\n  date\nfi\n" });
});

Deno.test("the next block is the output only if nothing is between the two", () => {
  const output = { line: 5, language: "json", file: "", text: "1\n" };
  assertEquals(readSteps(`${block("sh", "echo 1")}\n${block("json", "1")}`), [
    { kind: "shell", line: 1, text: "echo 1\n", output },
  ]);
  assertEquals(readSteps(`${block("sh", "echo 1")}\nElsewhere:\n\n${block("json", "1")}`), [
    { kind: "shell", line: 1, text: "echo 1\n" },
  ]);
});

Deno.test("a block is left out only if the comment with the reason is right before it", () => {
  const reason = "<!-- not run: it needs\nDocker -->\n\n";
  assertEquals(readSteps(reason + block("sh", "docker run")), [
    { kind: "left out", line: 4, reason: "it needs\nDocker" },
  ]);
  assertEquals(kindsOf(`${reason}Then:\n\n${block("sh", "docker run")}`), ["shell"]);
  assertEquals(kindsOf(reason + block("sh", "docker run") + block("sh", "date")), [
    ...["left out", "shell"],
  ]);
});

Deno.test("a comment with commands is run at its place", () => {
  assertEquals(readSteps(`<!-- run:\ncd shop\ndate\n-->\n\n${block("sh", "ls")}`), [
    { kind: "shell", line: 1, text: "cd shop\ndate\n", hidden: true },
    { kind: "shell", line: 6, text: "ls\n" },
  ]);
});

Deno.test("a console block is split into commands and what each prints", () => {
  assertEquals(readSteps(block("console", "$ one \\\n  two\na\nb\n$ three")), [{
    kind: "console",
    line: 1,
    commands: [{ text: "one \\\n  two\n", output: "a\nb\n" }, { text: "three\n", output: "" }],
  }]);
});

Deno.test("a block with a file name is written, and a diff is applied", () => {
  assertEquals(kindsOf(block("json shop.json", "{}") + block("diff shop.json", "-a\n+b")), [
    ...["write", "patch"],
  ]);
});

Deno.test("a block without an end is an error with its line", () => {
  assertThrows(() => readSteps(`Text\n${FENCE}sh\ndate\n`), Error, "Line 2");
});
