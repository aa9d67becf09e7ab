/**
 * Findings for programs: JSON, SARIF 2.1.0, JUnit and annotations of a pull request.
 *
 * @module
 */
import type { Finding, FindingKind } from "../lint/finding.ts";

/** Returns the findings as JSON. */
export function toJson(findings: readonly Finding[]): string {
  return `${JSON.stringify({ findings }, null, 2)}\n`;
}

/** Returns SARIF 2.1.0 (OASIS), which code hosts show next to the lines. */
export function toSarif(findings: readonly Finding[], kinds: readonly FindingKind[]): string {
  const driver = { name: "recto-policy", rules: kinds.map(toRule) };
  const codes = kinds.map(({ code }) => code);
  return `${
    JSON.stringify(
      {
        $schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [{
          tool: { driver },
          columnKind: "utf16CodeUnits",
          results: findings.map((finding) => toResult(finding, codes)),
        }],
      },
      null,
      2,
    )
  }\n`;
}

/** SARIF requires absolute URIs, and the README has none, so the help names its section in words. */
function toRule({ code, summary }: FindingKind): Record<string, unknown> {
  return {
    id: code,
    shortDescription: { text: `${summary}.` },
    help: { text: `${summary}. See the section "${code}" of policy/README.md.` },
  };
}

function toResult(finding: Finding, codes: readonly string[]): Record<string, unknown> {
  const { code, level, file, span } = finding;
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level,
    message: { text: sentenceOf(finding) },
    locations: [{
      physicalLocation: {
        artifactLocation: { uri: file },
        region: {
          startLine: span.line,
          startColumn: span.column,
          endColumn: span.column + span.length,
        },
      },
    }],
  };
}

/** Returns JUnit XML: one test case per rule, failed if the rule has findings. */
export function toJunit(findings: readonly Finding[], kinds: readonly FindingKind[]): string {
  const cases = kinds.map(({ code }) => {
    const own = findings.filter((finding) => finding.code === code);
    const start = `  <testcase classname="policy" name="${code}"`;
    if (own.length === 0) return `${start}/>`;
    const text = own.map((one) => `${placeOf(one)}: ${sentenceOf(one)}`).join("\n");
    const failure = `<failure message="${escapeXml(own[0]?.message ?? "")}">${escapeXml(text)}`;
    return `${start}>\n    ${failure}</failure>\n  </testcase>`;
  });
  const failures = new Set(findings.map(({ code }) => code)).size;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="policy check" tests="${kinds.length}" failures="${failures}">`,
    ...cases,
    "</testsuite>\n",
  ].join("\n");
}

/** Returns workflow commands, which GitHub shows on the lines of a pull request. */
export function toAnnotations(findings: readonly Finding[]): string {
  return findings.map((finding) => {
    const { level, file, span, code } = finding;
    const place = [
      `file=${escapeProperty(file)}`,
      `line=${span.line}`,
      `col=${span.column}`,
      `endColumn=${span.column + span.length}`,
      `title=${escapeProperty(code)}`,
    ];
    return `::${level} ${place.join(",")}::${escapeCommand(sentenceOf(finding))}\n`;
  }).join("");
}

function sentenceOf({ message, hint }: Finding): string {
  return hint === undefined ? message : `${message}. ${hint}`;
}

function placeOf({ file, span }: Finding): string {
  return `${file}:${span.line}:${span.column}`;
}

const XML: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["\n", "&#10;"],
]);

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"\n]/g, (character) => XML.get(character) ?? character)
    // XML 1.0 does not allow the other control characters.
    // deno-lint-ignore no-control-regex -- this is what the expression looks for
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, "\ufffd");
}

function escapeCommand(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeCommand(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
