/** Colors for the output of this process. */
import picocolors from 'picocolors'
import { hasColors } from '../../../runtime/data/terminal-colors.ts'

export type Colors = ReturnType<typeof picocolors.createColors>

/** Returns the colors for a stream. They have no effect when the stream is not a terminal. */
export function colorsFor(to: object): Colors {
  return picocolors.createColors(hasColors(to, process.env))
}

/** The colors for standard output. */
export const outputColors: Colors = colorsFor(process.stdout)
