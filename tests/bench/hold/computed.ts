/**
 * Reads of what formulas and rollups compute of many related rows.
 *
 * @module
 */
import type { Deed } from "./deeds.ts";
import { must } from "./requests.ts";
import type { Service } from "./service.ts";
import { BOX, BOXES } from "./workspace.ts";

const ITEMS = 'split(repeat("a,", 9999), ",")';
/** 4,095 nodes that are no deeper than a formula may be. */
const OPERATORS = Array.from({ length: 11 }).reduce<string>((sum) => `(${sum}+${sum})`, "index");

const HEAVY = {
  "a pattern over long texts": 'prop("Rows").map(test(repeat("a", 30000), "^(a|a)*$")).length()',
  "long texts": 'prop("Rows").map(repeat(repeat("ab", 1000), 1000)).length()',
  "long lists": 'prop("Rows").map(split(repeat("a,", 4000), ",").length()).sum()',
  "many operators": `${ITEMS}.map(${OPERATORS}).length()`,
  "comparisons of long texts": `${ITEMS}.some(repeat("a", 100000) == repeat("b", 100000))`,
  "an order": 'prop("Rows").sort(current.prop("Amount")).length()',
  "a median": 'prop("Rows").map(current.prop("Amount")).median()',
};

const ROLLUPS = ["unique", "show_unique", "show_original", "median"];

export async function computing({ ask }: Service): Promise<Deed[]> {
  const made: Deed[] = [
    { name: "row with a rollup of a third of all rows", run: () => ask(`GET /v2/pages/${BOX}`) },
    {
      name: "query sorted by that rollup",
      run: () =>
        ask(`POST /v2/databases/${BOXES}/query`, {
          sorts: [{ property: "Sum", direction: "ascending" }],
        }),
    },
    {
      name: "one property of that row, item by item",
      run: () => ask(`GET /v2/pages/${BOX}/properties/Rows`),
    },
  ];
  for (const [index, [name, expression]] of Object.entries(HEAVY).entries()) {
    const property = `Heavy ${index}`;
    await must(ask(`PATCH /v2/databases/${BOXES}`, {
      properties: { [property]: { formula: { expression } } },
    }));
    made.push({
      name: `row whose formula makes ${name} of its related rows`,
      run: () => ask(`GET /v2/pages/${BOX}?filter_properties=${encodeURIComponent(property)}`),
    });
  }
  for (const name of ROLLUPS) {
    const property = `Rollup ${name}`;
    await must(ask(`PATCH /v2/databases/${BOXES}`, {
      properties: {
        [property]: {
          rollup: {
            relation_property_name: "Rows",
            rollup_property_name: "Amount",
            function: name,
          },
        },
      },
    }));
    made.push({
      name: `row with a rollup of its related rows by ${name}`,
      run: () => ask(`GET /v2/pages/${BOX}?filter_properties=${encodeURIComponent(property)}`),
    });
  }
  await must(ask(`PATCH /v2/databases/${BOXES}`, {
    properties: {
      Texts: {
        rollup: {
          relation_property_name: "Rows",
          rollup_property_name: "Notes",
          function: "show_original",
        },
      },
    },
  }));
  const list = "Rollup show_unique";
  const boxes = (name: string, body: object): Deed => ({
    name,
    run: () => ask(`POST /v2/databases/${BOXES}/query?filter_properties=Name`, body),
  });
  made.push(
    boxes("query sorted by a list of its related rows", {
      sorts: [{ property: list, direction: "ascending" }],
    }),
    boxes("query by a condition on no item of that list", {
      filter: { property: list, rollup: { none: { number: { less_than: -1 } } } },
    }),
    boxes("query sorted by a list of their texts", {
      sorts: [{ property: "Texts", direction: "ascending" }],
    }),
    boxes("query by 100 conditions on that list", {
      filter: {
        or: Array.from({ length: 100 }, (_, n) => ({
          property: "Texts",
          rollup: { any: { rich_text: { contains: `zzz ${n}` } } },
        })),
      },
    }),
  );
  return made;
}
