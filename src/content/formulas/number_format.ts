/**
 * Formats formula numbers as text: separators, percents, byte sizes, currencies and ordinals.
 *
 * @module
 */

/** Currencies by their name in number properties. */
const CURRENCIES = new Map([
  ["dollar", "USD"],
  ["australian_dollar", "AUD"],
  ["canadian_dollar", "CAD"],
  ["singapore_dollar", "SGD"],
  ["euro", "EUR"],
  ["pound", "GBP"],
  ["yen", "JPY"],
  ["ruble", "RUB"],
  ["rupee", "INR"],
  ["won", "KRW"],
  ["yuan", "CNY"],
  ["real", "BRL"],
  ["lira", "TRY"],
  ["rupiah", "IDR"],
  ["franc", "CHF"],
  ["hong_kong_dollar", "HKD"],
  ["new_zealand_dollar", "NZD"],
  ["krona", "SEK"],
  ["norwegian_krone", "NOK"],
  ["mexican_peso", "MXN"],
  ["rand", "ZAR"],
  ["new_taiwan_dollar", "TWD"],
  ["danish_krone", "DKK"],
  ["zloty", "PLN"],
  ["baht", "THB"],
  ["forint", "HUF"],
  ["koruna", "CZK"],
  ["shekel", "ILS"],
  ["chilean_peso", "CLP"],
  ["philippine_peso", "PHP"],
  ["dirham", "AED"],
  ["colombian_peso", "COP"],
  ["riyal", "SAR"],
  ["ringgit", "MYR"],
  ["leu", "RON"],
  ["argentine_peso", "ARS"],
  ["uruguayan_peso", "UYU"],
  ["peruvian_sol", "PEN"],
]);

const MANY_PLACES = { maximumFractionDigits: 12 };
const ONE_PLACE = { maximumFractionDigits: 1 };

const STYLES = new Map<string, Intl.NumberFormatOptions>([
  ["number", { useGrouping: false, ...MANY_PLACES }],
  ["commas", MANY_PLACES],
  ["number_with_commas", MANY_PLACES],
  ["percent", { style: "percent", ...MANY_PLACES }],
  ["humanize", { notation: "compact", ...ONE_PLACE }],
  ["compact", { notation: "compact", ...ONE_PLACE }],
  ...[...CURRENCIES].map(([name, currency]) => [name, { style: "currency", currency }] as const),
]);

/** Formats of byte sizes: the factor between units, and their names. */
const SIZES = new Map([
  ["bytes_decimal", { step: 1000, units: ["B", "KB", "MB", "GB", "TB", "PB"] }],
  ["bytes_binary", { step: 1024, units: ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] }],
]);

/** The values that the `format` parameter of `formatNumber()` accepts. */
export const NUMBER_STYLES = {
  expects: 'a format ("commas", "percent", "humanize", "bytes_decimal", "dollar", …)',
  find: (text: string): string | undefined =>
    STYLES.has(text) || SIZES.has(text) ? text : undefined,
};

export interface NumberFormatOptions {
  /** Commas between thousands by default. */
  readonly format: string | undefined;
  /** Decimal places, 0 to 12; as many as the number needs by default. */
  readonly places: number | undefined;
}

/** The number as English text. */
export function formatNumber(number: number, { format, places }: NumberFormatOptions): string {
  const size = SIZES.get(format ?? "");
  if (size === undefined) return formatterOf(format ?? "commas", places).format(number);
  const scale = Math.floor(Math.log(Math.max(1, Math.abs(number))) / Math.log(size.step));
  const power = Math.min(scale, size.units.length - 1);
  const amount = formatterOf("commas", places, 2).format(number / size.step ** power);
  return `${amount} ${size.units[power]}`;
}

/** Bounded by the number of formats and places. */
const formatterCache = new Map<string, Intl.NumberFormat>();

function formatterOf(format: string, places: number | undefined, most?: number): Intl.NumberFormat {
  const digits = places === undefined ? most : Math.max(0, Math.min(12, Math.trunc(places)));
  const key = `${format} ${digits} ${places === undefined}`;
  const cached = formatterCache.get(key);
  if (cached !== undefined) return cached;
  const formatter = new Intl.NumberFormat("en-US", {
    ...STYLES.get(format),
    ...(digits === undefined ? {} : { maximumFractionDigits: digits }),
    ...(digits === undefined || places === undefined ? {} : { minimumFractionDigits: digits }),
  });
  formatterCache.set(key, formatter);
  return formatter;
}

const SUFFIXES = ["th", "st", "nd", "rd"];

/** The number as an English ordinal: `1st`, `12th`. */
export function ordinal(number: number): string {
  const isTeen = number % 100 >= 11 && number % 100 <= 13;
  return `${number}${(isTeen ? undefined : SUFFIXES[number % 10]) ?? "th"}`;
}
