import { listFiles } from "../../src/policy/lint/list_files.ts";
import { createIo } from "../../src/policy/io.ts";
import { assertEquals } from "../assert.ts";

Deno.test("listFiles() finds files at any depth, follows links, and skips names with a leading dot", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  try {
    for (const name of ["a/b", "..data"]) {
      await Deno.mkdir(`${folder}/${name}`, { recursive: true });
    }
    for (const name of ["z.json", "a/y.json", "a/b/x.json", "a/b/x.txt", "..data/w.json"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "");
    }
    await Deno.symlink(`${folder}/..data/w.json`, `${folder}/w.json`);
    const names = ["a/b/x.json", "a/y.json", "w.json", "z.json"];
    assertEquals(await listFiles(folder, ".json"), names.map((name) => `${folder}/${name}`));
    assertEquals(await createIo(`${folder}/`).list("a", ".json"), names.slice(0, 2));
    assertEquals(await listFiles(`${folder}/nowhere`, ".json"), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
