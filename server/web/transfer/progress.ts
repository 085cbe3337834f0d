/** A progress line on a terminal; nothing is shown elsewhere. */
import { statusLine, type Terminal } from '../../../runtime/data/status-line.ts'

export interface Progress {
  show(what: string, rows: number, of: number | null): void
  /** Clears the line. */
  clear(): void
}

const WIDTH = 24

/**
 * @param to a terminal, or anything else
 * @param env variables of the process
 */
export function progressBar(
  to: Terminal,
  env: Readonly<Record<string, string | undefined>>,
  now: () => number = () => performance.now(),
): Progress {
  const shown = statusLine(to, env, now)
  if (shown === null) return { show: () => undefined, clear: () => undefined }
  let phase = ''
  let began = now()
  return {
    show(what, rows, of) {
      if (what !== phase) {
        phase = what
        began = now()
      }
      shown.show(() => line(what, rows, of, (now() - began) / 1000))
    },
    clear: () => shown.clear(),
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
