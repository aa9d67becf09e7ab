// docu-notion's command, on a small tree below a page `Outline`, with a picture that was uploaded.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import {
  assert,
  assertContains,
  finish,
  request,
  seed,
  setting,
  step,
  text,
  title,
} from "./lib.mjs";

const name = "@sillsdev/docu-notion 0.16.2";
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const page = (parent, name, children = []) =>
  request("POST", "/v1/pages", { parent, properties: { title: title(name) }, children });
const rich = (content) => ({ rich_text: [text(content)] });

async function upload() {
  const { id } = await request("POST", "/v1/file_uploads", {
    filename: "pixel.png",
    content_type: "image/png",
  });
  const form = new FormData();
  form.append("file", new Blob([PIXEL], { type: "image/png" }), "pixel.png");
  const response = await fetch(`${setting.baseUrl}/v1/file_uploads/${id}/send`, {
    method: "POST",
    headers: { authorization: `Bearer ${setting.token}`, "notion-version": "2022-06-28" },
    body: form,
  });
  assert.equal(response.status, 200, await response.text());
  return id;
}

const folder = await mkdtemp(`${tmpdir()}/docu-notion-`);
await step(name, "tree of pages as Markdown, with an uploaded picture", async () => {
  const root = await page({ page_id: seed.root }, "Documentation");
  const outline = await page({ page_id: root.id }, "Outline");
  const picture = { image: { type: "file_upload", file_upload: { id: await upload() } } };
  const row = (...cells) => ({ table_row: { cells: cells.map((cell) => [text(cell)]) } });
  await page({ page_id: outline.id }, "Guide", [
    { heading_1: rich("First heading") },
    { paragraph: rich("A paragraph") },
    { bulleted_list_item: { ...rich("A bullet"), children: [{ paragraph: rich("nested") }] } },
    { callout: { ...rich("A callout"), icon: { emoji: "💡" } } },
    { code: { ...rich("let a = 1;"), language: "javascript" } },
    { toggle: { ...rich("A toggle"), children: [{ paragraph: rich("Inside the toggle") }] } },
    { table: { table_width: 2, children: [row("Name", "Size"), row("Cell", "12")] } },
    picture,
  ]);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    new URL("../node_modules/@sillsdev/docu-notion/dist/index.js", import.meta.url).pathname,
    ...["-n", setting.token, "-r", root.id.replaceAll("-", ""), "-m", `${folder}/docs`],
    ...["--css-output-directory", `${folder}/css`, "--status-tag", "*"],
  ], { cwd: folder }).catch((error) => error);
  const files = await readdir(`${folder}/docs`).catch(() => []);
  const file = files.find((one) => one.endsWith(".md"));
  assert.ok(file, `${files} ${stdout} ${stderr}`);
  assertContains(await readFile(`${folder}/docs/${file}`, "utf8"), [
    "title: Guide",
    "# First heading",
    "A bullet",
    "nested",
    "A callout",
    "let a = 1;",
    "Inside the toggle",
    "Cell",
    ".png",
  ]);
  const image = files.find((one) => one.endsWith(".png"));
  assert.deepEqual(await readFile(`${folder}/docs/${image}`), PIXEL);
});
await rm(folder, { recursive: true });
finish();
