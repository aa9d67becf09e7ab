import type { ExportContext } from "./context.ts";
export async function exportMarkdown(_path: string, _context: ExportContext): Promise<void> {}
