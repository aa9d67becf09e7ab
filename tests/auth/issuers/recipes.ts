/** Returns the settings of each recipe in docs/tokens.md, by its heading. */
export async function readRecipes(): Promise<ReadonlyMap<string, Record<string, string>>> {
  const [, text = ""] = (await Deno.readTextFile("docs/tokens.md")).split("\n## Issuers\n");
  const recipes = text.split(/^### /m).slice(1);
  return new Map(recipes.map((recipe) => [recipe.split("\n")[0] ?? "", readSettings(recipe)]));
}

function readSettings(recipe: string): Record<string, string> {
  const [, block = ""] = /^```dotenv\n([^]*?)^```$/m.exec(recipe) ?? [];
  return Object.fromEntries(
    [...block.matchAll(/^(RECTO_\w+)=(?:"([^"\n]*)"|(\S*))$/gm)]
      .map(([, name = "", quoted, plain]) => [name, quoted ?? plain ?? ""]),
  );
}
