/**
 * Counts the work of templates in proportion to the texts and elements that they read and write. Filters and comparisons do not know their
 * render, so each thread stores the meter of the running render. Adding steps to it never throws: the loops of the render check the limit.
 */

/** Counts the steps of a render: see `Render.pace`. */
export interface Meter {
  pace: number
}

/**
 * The number of UTF-16 units that count as one step. Reading and writing them takes about as long as one iteration of a loop with an
 * output.
 */
const UNITS_OF_STEP = 10

/** The number of elements that count as one step, when they are only read or copied. */
const ITEMS_OF_STEP = 32

/**
 * Maximum length, in UTF-16 units, of a text that costs no extra steps. Hot functions compare with it before they
 * call `chargeText`.
 */
export const SHORT = 1_024

/** The meter for work outside of renders. */
const IDLE: Meter = { pace: 0 }

let currentMeter: Meter = IDLE

/** Sets the meter for all following work on this thread. */
export function setMeter(meter: Meter): void {
  currentMeter = meter
}

/**
 * Charges text that is read or written.
 * @param units the length in UTF-16 units, multiplied by the measured cost of the filter relative to `upcase`
 */
export function chargeText(units: number): void {
  if (units > SHORT) currentMeter.pace += Math.floor(units / UNITS_OF_STEP)
}

/** Charges elements that are only read or copied. */
export function chargeItems(count: number): void {
  if (count > ITEMS_OF_STEP) currentMeter.pace += Math.floor(count / ITEMS_OF_STEP)
}

/** Charges elements that are compared, or whose properties are read. Each element takes about as long as one iteration of a loop. */
export function chargeReads(count: number): void {
  currentMeter.pace += count
}

/** Charges the comparisons of a sort of `count` elements. */
export function chargeSort(count: number): void {
  if (count > 1) currentMeter.pace += Math.floor(count * Math.log2(count))
}
