/**
 * The forms of settings: what a text must look like, and what it means.
 *
 * @module
 */

export interface Form<T> {
  readonly accepts: (text: string) => boolean;
  /** Completes "must be …". */
  readonly form: string;
  readonly parse: (text: string) => T;
}

const matches = (pattern: RegExp) => (text: string): boolean => pattern.test(text);
const asIs = (text: string) => text;

export const PORT = {
  accepts: matches(/^(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/),
  form: "a port from 1 to 65535",
  parse: Number,
};
export const ORIGIN = {
  accepts: matches(/^https?:\/\/[A-Za-z0-9.:[\]-]+$/),
  form: "an origin such as https://recto.example, without a path",
  parse: asIs,
};
export const PAGE_URL = {
  accepts: matches(
    /^https?:\/\/(?=[^{}]*(?:\{kind\}[^{}]*)?\{id\})(?:[^\s{}]|\{id\}|\{kind\}){1,2000}$/,
  ),
  form:
    "a URL with {id}, and {kind} where page or database shall be, such as https://wiki.example/{id}",
  parse: asIs,
};
export const ORIGINS = {
  accepts: matches(
    /^ *https?:\/\/[A-Za-z0-9.:[\]-]+ *(?:, *https?:\/\/[A-Za-z0-9.:[\]-]+ *)*,? *$/,
  ),
  form: "origins separated by commas",
  parse: (text: string) => text.split(",").map((one) => one.trim()).filter((one) => one !== ""),
};
export const RATE = {
  accepts: matches(/^(?:off|[1-9]\d{0,6}\/s)$/),
  form: 'requests per second such as "100/s", or off',
  parse: (text: string) => text === "off" ? Infinity : parseInt(text),
};
export const CONNECTIONS = {
  accepts: matches(/^(?:[2-9]|[1-9]\d{1,2})$/),
  form: "a number from 2 to 999",
  parse: Number,
};
export const PROCESSES = {
  accepts: matches(/^(?:auto|[1-9]|[1-5]\d|6[0-4])$/),
  form: "a number from 1 to 64, or auto",
  parse: (text: string) => text === "auto" ? text : Number(text),
};
export const BUCKET = {
  accepts: matches(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
  form: "the name of a bucket",
  parse: asIs,
};
const DAY = 86_400_000;
export const RETENTION = {
  accepts: matches(/^(?:off|[1-9]\d{0,4}d)$/),
  form: 'days such as "30d", or off',
  parse: (text: string) => text === "off" ? Infinity : parseInt(text) * DAY,
};
export const COUNT = { accepts: matches(/^[1-9]\d{0,12}$/), form: "a whole number", parse: Number };
export const DIGEST = {
  accepts: matches(/^[0-9a-f]{64}$/),
  form: "the digest of a policy: 64 hexadecimal digits",
  parse: asIs,
};
export const MINUTES = {
  accepts: matches(/^[1-9]\d{0,5}$/),
  form: "minutes as a whole number",
  parse: Number,
};
export const DIMENSIONS = {
  accepts: matches(/^[1-9]\d{0,3}$/),
  form: "a number from 1 to 9999",
  parse: Number,
};
export const BASE_URL = {
  accepts: matches(/^https?:\/\/[^\s?#]+$/),
  form: "a URL such as https://api.openai.com/v1",
  parse: asIs,
};
export const NAMES = {
  accepts: matches(/^ *[^\s,]+ *(?:, *[^\s,]+ *)*$/),
  form: "names separated by commas",
  parse: toList,
};
export const TOKEN_TYPES = {
  accepts: matches(/^ *(?:at\+jwt|jwt|absent) *(?:, *(?:at\+jwt|jwt|absent) *)*$/i),
  form: "some of at+jwt, JWT, absent, separated by commas",
  parse: (text: string) => toList(text.toLowerCase()),
};
export const CONDITIONS = {
  accepts: matches(/^ *[^\s,|=]+(?:=[^\s,|=]+)? *(?:[,|] *[^\s,|=]+(?:=[^\s,|=]+)? *)*$/),
  form: 'claims such as "azp, scp|idtyp=app"',
  parse: (text: string) => toList(text).map((one) => one.split("|").map(toCondition)),
};
export const BOOLEAN = ["true", "false"] as const;

function toList(text: string): string[] {
  return text.split(",").map((one) => one.trim());
}

function toCondition(text: string): { claim: string; value?: string } {
  const [claim = "", value] = text.trim().split("=");
  return value === undefined ? { claim } : { claim, value };
}
