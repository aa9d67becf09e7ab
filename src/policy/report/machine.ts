/**
 * Findings for programs: JSON, SARIF 2.1.0, JUnit and annotations of a pull request.
 *
 * @module
 */
import type { Finding, FindingKind } from "../lint/finding.ts";
import { printJunit } from "./junit.ts";

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
function toRule({ code, summary, section = code }: FindingKind): Record<string, unknown> {
  return {
    id: code,
    shortDescription: { text: `${summary}.` },
    help: { text: `${summary}. See the section "${section}" of policy/README.md.` },
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
        artifactLocation: { uri: encodeURI(file) },
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
    const failure = {
      message: own[0]?.message ?? "",
      text: own.map((one) => `${placeOf(one)}: ${sentenceOf(one)}`).join("\n"),
    };
    return { group: "policy", name: code, failure: own.length === 0 ? undefined : failure };
  });
  return printJunit("policy check", cases);
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

function escapeCommand(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeCommand(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
