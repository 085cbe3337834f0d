/** A progress line on a terminal; nothing is shown elsewhere. */

export interface Progress {
  show(what: string, rows: number, of: number | null): void
  /** Clears the line. */
  clear(): void
}

/** Milliseconds between updates. */
const PAUSE = 100
const WIDTH = 24

/** @param to a terminal, or anything else */
export function progressBar(to: NodeJS.WriteStream, now: () => number = Date.now): Progress {
  if (!to.isTTY) return { show: () => undefined, clear: () => undefined }
  let drawn = 0
  let phase = ''
  let began = now()
  return {
    show(what, rows, of) {
      const at = now()
      if (what !== phase) {
        phase = what
        began = at
      } else if (at - drawn < PAUSE) return
      drawn = at
      to.write(`\r\u001b[K${line(what, rows, of, (at - began) / 1000)}`)
    },
    clear() {
      if (drawn > 0) to.write('\r\u001b[K')
    },
  }
}

/**
 * The text of the line.
 * @param seconds since the phase began
 */
export function line(what: string, rows: number, of: number | null, seconds: number): string {
  const rate = seconds < 0.5 ? '' : `, ${grouped(Math.round(rows / seconds))} rows/s`
  if (of === null || of === 0) return `${what}: ${grouped(rows)} rows${rate}`
  const part = Math.min(1, rows / of)
  const full = Math.round(part * WIDTH)
  return `${what}: ${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${Math.floor(part * 100)} %, ${grouped(rows)} rows${rate}`
}

/** Formats a number with separators, such as `1,234,567`. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US')
}
