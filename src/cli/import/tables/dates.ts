/**
 * Dates as tables write them: ISO 8601, numbers in one order, and English names of months.
 *
 * @module
 */

/** The order of the parts of a date. */
export type DateOrder = "iso" | "dmy" | "mdy" | "ymd" | "name";

export interface DateReading {
  readonly order: DateOrder;
}

export interface DateRange {
  /** `YYYY-MM-DD`, with `THH:MM:SS` if there is a time. */
  readonly start: string;
  readonly end?: string;
}

export const DATE_ORDERS: readonly DateOrder[] = ["iso", "name", "ymd", "dmy", "mdy"];

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const TIME = String.raw`(?:,?[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([ap])\.?m\.?)?)?`;
const ZONE = String.raw`(?:\s*(?:\((?:UTC|GMT)[^)]*\)|UTC|GMT))?`;
const pattern = (date: string) => new RegExp(`^@?${date}${TIME}${ZONE}$`, "i");

const NUMBERS = pattern(String.raw`(\d{1,4})[./-]\s?(\d{1,2})[./-]\s?(\d{1,4})\.?`);
const MONTH_FIRST = pattern(String.raw`([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})`);
const DAY_FIRST = pattern(String.raw`(\d{1,2})(?:st|nd|rd|th)?\.? ([a-z]{3,9})\.?,? (\d{4})`);
const ISO =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** The date or range in a text; undefined if it is none in this order. */
export function readDate(text: string, reading: DateReading): DateRange | undefined {
  const [from = "", to, ...more] = text.trim().split(/\s*→\s*/);
  if (more.length > 0) return undefined;
  const start = readOne(from, reading);
  if (start === undefined) return undefined;
  if (to === undefined) return { start };
  // The vendor writes the end without its day if that is the day of the start.
  const end = readOne(to, reading) ?? readOne(`${dayPart(from)} ${to}`, reading);
  return end === undefined ? undefined : { start, end };
}

function dayPart(text: string): string {
  return text.replace(/,?\s+\d{1,2}:\d{2}.*$/, "");
}

function readOne(text: string, { order }: DateReading): string | undefined {
  if (order === "iso") return readIso(text);
  if (order === "name") return readNamed(text);
  const [, a = "", b = "", c = "", ...time] = NUMBERS.exec(text) ?? [];
  if (a === "") return undefined;
  if (order === "ymd") return a.length === 4 ? compose([a, b, c], time) : undefined;
  if (a.length > 2 || (c.length !== 4 && c.length !== 2)) return undefined;
  const year = c.length === 4 ? c : `20${c}`;
  return compose(order === "dmy" ? [year, b, a] : [year, a, b], time);
}

function readIso(text: string): string | undefined {
  if (!ISO.test(text)) return undefined;
  const value = text.replace(" ", "T");
  return isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

function readNamed(text: string): string | undefined {
  const first = MONTH_FIRST.exec(text);
  const [, name, day, year, ...time] = first ?? swap(DAY_FIRST.exec(text)) ?? [];
  const month = MONTHS.indexOf((name ?? "").slice(0, 3).toLowerCase()) + 1;
  return month > 0 ? compose([year ?? "", String(month), day ?? ""], time) : undefined;
}

function swap(match: RegExpExecArray | null): string[] | undefined {
  if (match === null) return undefined;
  const [all = "", day = "", name = "", ...rest] = match;
  return [all, name, day, ...rest];
}

function compose(
  [year = "", month = "", day = ""]: readonly string[],
  [hour, minute = "00", second = "00", half]: readonly (string | undefined)[],
): string | undefined {
  const date = `${year.padStart(4, "0")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (!isDay(date)) return undefined;
  if (hour === undefined) return date;
  const hours = half === undefined ? Number(hour) : Number(hour) % 12 + (/p/i.test(half) ? 12 : 0);
  if (hours > 23 || Number(minute) > 59) return undefined;
  return `${date}T${String(hours).padStart(2, "0")}:${minute}:${second}`;
}

function isDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}
