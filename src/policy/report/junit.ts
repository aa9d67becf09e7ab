/**
 * Prints JUnit XML, which CI servers show as test results.
 *
 * @module
 */

export interface JunitCase {
  readonly group: string;
  readonly name: string;
  /** Undefined if the test case passed. */
  readonly failure: { readonly message: string; readonly text: string } | undefined;
}

/** Returns one test suite. */
export function printJunit(suite: string, cases: readonly JunitCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${escapeXml(suite)}" tests="${cases.length}" failures="${failures}">`,
    ...cases.map(printCase),
    "</testsuite>\n",
  ].join("\n");
}

function printCase({ group, name, failure }: JunitCase): string {
  const start = `  <testcase classname="${escapeXml(group)}" name="${escapeXml(name)}"`;
  if (failure === undefined) return `${start}/>`;
  const element = `<failure message="${escapeXml(failure.message)}">${escapeXml(failure.text)}`;
  return `${start}>\n    ${element}</failure>\n  </testcase>`;
}

const XML: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["\n", "&#10;"],
]);

/** XML 1.0 does not allow most control characters, not even escaped. */
function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"\n]/g, (character) => XML.get(character) ?? character)
    .replaceAll(/(?![\t\r\n])\p{Cc}|[\ufffe\uffff]/gu, "\ufffd");
}
