/** Numbers and cells in words. */

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** How many rows; those with missing values may count in parts. */
export const amount = (rows) => whole.format(rows);

/** A number in few digits, and without a power of ten where it is large. */
export function short(value, digits = 4) {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  return size >= 1e15 || size < 1e-6 ? String(rounded) : rounded.toLocaleString("en-US", {
    maximumSignificantDigits: Math.max(digits, Math.ceil(Math.log10(size + 1))), useGrouping: size >= 1e4,
  });
}

export const signed = (value, digits = 2) => `${value >= 0 ? "+" : "−"}${short(Math.abs(value), digits)}`;

export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)}%`;

export const counted = (number, word, words = `${word}s`) => `${amount(number)} ${number === 1 ? word : words}`;

const DAY = 86_400_000;

/** A cell as the user would write it: the number, the name behind the code, or a question mark. */
export function sayCell(column, value, digits = 6) {
  if (value === null || value === undefined || Number.isNaN(value)) return "?";
  if (column.values) return column.values[value];
  if (column.part === "date") return new Date(value * DAY).toISOString().slice(0, 10);
  if (column.part === "moment") return new Date(value * DAY).toISOString().slice(0, 16).replace("T", " ");
  if (column.part === "duration") return sayDuration(value);
  const number = short(value, digits);
  if (!column.unit) return number;
  return "$£€¥₹".includes(column.unit) ? `${column.unit}${number}` : `${number}${column.unit === "%" ? "" : " "}${column.unit}`;
}

function sayDuration(seconds) {
  const all = Math.round(Math.abs(seconds));
  const two = (number) => String(number).padStart(2, "0");
  return `${seconds < 0 ? "-" : ""}${Math.floor(all / 3600)}:${two(Math.floor(all / 60) % 60)}:${two(all % 60)}`;
}
