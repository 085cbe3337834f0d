/**
 * Counts the work of templates in proportion to the text and the elements that they read and write. Filters and
 * comparisons know no render, so each thread keeps the meter of the render that runs, and adds to its steps. The loops
 * of the render compare them with its limit, so adding throws nothing.
 */

/** What counts the steps of a render: see `Render.pace`. */
export interface Meter {
  pace: number
}

/** UTF-16 units that count as one step: to read them and to write as many takes about as long as a turn of a loop with an output. */
const UNITS_OF_STEP = 10

/** Elements that count as one step, where they are only looked at or copied. */
const ITEMS_OF_STEP = 32

/** Longest text, in UTF-16 units, that counts as part of the step that uses it. Hot functions compare with it before they call `chargeText`. */
export const SHORT = 1_024

/** Takes what is counted while no render runs. */
const IDLE: Meter = { pace: 0 }

let running: Meter = IDLE

/** From now on, work on this thread belongs to `meter`. */
export function setMeter(meter: Meter): void {
  running = meter
}

/**
 * Counts text that is read or written. `units`: its length in UTF-16 units, times what a filter takes as a multiple of
 * `upcase`, as measured.
 */
export function chargeText(units: number): void {
  if (units > SHORT) running.pace += Math.floor(units / UNITS_OF_STEP)
}

/** Counts elements that are looked at or copied. */
export function chargeItems(count: number): void {
  if (count > ITEMS_OF_STEP) running.pace += Math.floor(count / ITEMS_OF_STEP)
}

/** Counts elements of which a property is read, or which are compared: each takes about as long as a turn of a loop. */
export function chargeReads(count: number): void {
  running.pace += count
}

/** Counts the comparisons of a sort of `count` elements. */
export function chargeSort(count: number): void {
  if (count > 1) running.pace += Math.floor(count * Math.log2(count))
}
