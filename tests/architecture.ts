/**
 * Prints the structure of `src/`: its folders by level, each importing only those below it, and how
 * many imports connect them.
 *
 * @module
 */
import { folderOf, importsIn, sources } from "./support/sources.ts";

/** The folders that each folder imports. */
function folderGraph(): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const source of sources()) {
    const own = folderOf(source.name);
    const targets = graph.get(own) ?? new Set<string>();
    graph.set(own, targets);
    for (const { target } of importsIn(source)) {
      if (folderOf(target) !== own) targets.add(folderOf(target));
    }
  }
  return graph;
}

/** The folders level by level, the lowest first; the last level holds those that import each other. */
function levelsOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const levels: string[][] = [];
  const placed = new Set<string>();
  while (placed.size < graph.size) {
    const level = [...graph.keys()].filter((folder) =>
      !placed.has(folder) && [...graph.get(folder) ?? []].every((target) => placed.has(target))
    );
    if (level.length === 0) return [...levels, [...graph.keys()].filter((one) => !placed.has(one))];
    for (const folder of level) placed.add(folder);
    levels.push(level.sort());
  }
  return levels;
}

const graph = folderGraph();
const levels = levelsOf(graph);
const placeOf = new Map(levels.flatMap((level, index) => level.map((folder) => [folder, index])));
const arrows = [...graph].flatMap(([folder, targets]) =>
  [...targets].map((target) => [folder, target])
);
const up = arrows.filter(([from = "", to = ""]) =>
  (placeOf.get(to) ?? 0) >= (placeOf.get(from) ?? 0)
);
const lines = [
  ...levels.map((level, index) => `${index + 1}  ${level.join("  ")}`),
  `${graph.size} folders, ${levels.length} levels, ${arrows.length} arrows, ${up.length} back up`,
];
Deno.stdout.writeSync(new TextEncoder().encode(`${lines.join("\n")}\n`));
