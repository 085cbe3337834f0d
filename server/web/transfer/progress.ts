/** A progress line on a terminal. Outside of a terminal, nothing is shown. */
import { statusLine, type Terminal } from '../../../runtime/data/status-line.ts'

export interface Progress {
  show(what: string, rows: number, of: number | null): void
  /** Clears the line. */
  clear(): void
}

const WIDTH = 24

/**
 * Creates the progress line.
 * @param to the output, which may be a terminal
 * @param env environment variables of the process
 */
export function progressBar(
  to: Terminal,
  env: Readonly<Record<string, string | undefined>>,
  now: () => number = () => performance.now(),
): Progress {
  const status = statusLine(to, env, now)
  if (status === null) return { show: () => undefined, clear: () => undefined }
  let phase = ''
  let began = now()
  return {
    show(what, rows, of) {
      if (what !== phase) {
        phase = what
        began = now()
      }
      status.show(() => formatProgress(what, rows, of, (now() - began) / 1000))
    },
    clear: () => status.clear(),
  }
}

/**
 * Formats the text of the line.
 * @param seconds time since the phase began
 */
function formatProgress(what: string, rows: number, of: number | null, seconds: number): string {
  const rate = seconds < 0.5 ? '' : `, ${formatNumber(Math.round(rows / seconds))} rows/s`
  if (of === null || of === 0) return `${what}: ${formatNumber(rows)} rows${rate}`
  const part = Math.min(1, rows / of)
  const full = Math.round(part * WIDTH)
  return `${what}: ${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${Math.floor(part * 100)} %, ${formatNumber(rows)} rows${rate}`
}

/** Formats a number with separators, such as `1,234,567`. */
export function formatNumber(count: number): string {
  return count.toLocaleString('en-US')
}
