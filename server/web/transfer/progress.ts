/** A progress line on a terminal. Outside of a terminal, nothing is shown. */
import { statusLine, type Terminal } from '../../../runtime/data/status-line.ts'

export interface Progress {
  show(phaseName: string, rows: number, total: number | null): void
  /** Clears the line. */
  clear(): void
}

const WIDTH = 24

/**
 * Creates the progress line.
 * @param output the output stream, which may be a terminal
 * @param env environment variables of the process
 */
export function progressBar(
  output: Terminal,
  env: Readonly<Record<string, string | undefined>>,
  now: () => number = () => performance.now(),
): Progress {
  const status = statusLine(output, env, now)
  if (status === null) return { show: () => undefined, clear: () => undefined }
  let phase = ''
  let startedAt = now()
  return {
    show(phaseName, rows, total) {
      if (phaseName !== phase) {
        phase = phaseName
        startedAt = now()
      }
      status.show(() => formatProgress(phaseName, rows, total, (now() - startedAt) / 1000))
    },
    clear: () => status.clear(),
  }
}

/**
 * Formats the text of the line.
 * @param seconds time since the phase began
 */
function formatProgress(phaseName: string, rows: number, total: number | null, seconds: number): string {
  const rate = seconds < 0.5 ? '' : `, ${formatNumber(Math.round(rows / seconds))} rows/s`
  if (total === null || total === 0) return `${phaseName}: ${formatNumber(rows)} rows${rate}`
  const fraction = Math.min(1, rows / total)
  const filledWidth = Math.round(fraction * WIDTH)
  return `${phaseName}: ${'█'.repeat(filledWidth)}${'░'.repeat(WIDTH - filledWidth)} ${Math.floor(fraction * 100)} %, ${formatNumber(rows)} rows${rate}`
}

/** Formats a number with separators, such as `1,234,567`. */
export function formatNumber(count: number): string {
  return count.toLocaleString('en-US')
}
