/**
 * A status line in the terminal that shows the progress of long work. It is rewritten regularly, and cleared before anything else is
 * printed.
 */

/** The stream that the line is written to. */
export interface Terminal {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  write(text: string): unknown
}

export interface StatusLine {
  /** Rewrites the line if enough time has passed since the last time. Only then is the text computed. */
  show(text: () => string): void
  /** Shows a task and its duration until the next call, for work whose progress is unknown. */
  during(doing: string): void
  /** Clears the line. */
  clear(): void
}

/** Milliseconds before the line is first shown. Shorter work needs no status line. */
const SHOW_AFTER = 500
/** Milliseconds between two updates. */
const UPDATE_INTERVAL = 100
/** Moves the cursor to the start of the line and clears the line. */
const CLEAR_LINE = '\r\u001b[K'
/** The assumed width of a terminal that reports none. */
const COLUMNS = 80

/**
 * Creates a status line; null when the output is not a terminal, or cannot be rewritten.
 * @param env variables of the process
 * @param now milliseconds
 */
export function statusLine(
  to: Terminal,
  env: Readonly<Record<string, string | undefined>>,
  now: () => number = () => performance.now(),
): StatusLine | null {
  if (to.isTTY !== true || !supportsControlCodes(env)) return null
  let nextUpdate = now() + SHOW_AFTER
  let isShown = false
  let timer: NodeJS.Timeout | undefined
  const write = (text: () => string): void => {
    if (now() < nextUpdate) return
    nextUpdate = now() + UPDATE_INTERVAL
    isShown = true
    to.write(`${CLEAR_LINE}${fitToColumns(text(), to.columns || COLUMNS)}`)
  }
  return {
    show(text) {
      clearInterval(timer)
      write(text)
    },
    during(doing) {
      clearInterval(timer)
      const since = now()
      timer = setInterval(() => write(() => withSeconds(doing, now() - since)), UPDATE_INTERVAL).unref()
    },
    clear() {
      clearInterval(timer)
      if (!isShown) return
      to.write(CLEAR_LINE)
      isShown = false
      // The line was cleared for other output. The next update rewrites the line immediately.
      nextUpdate = now()
    },
  }
}

/**
 * Returns the text of a task with its duration.
 * @param ms milliseconds
 */
export function withSeconds(doing: string, ms: number): string {
  return `${doing} … ${Math.round(ms / 1000)} s`
}

/** Returns whether the terminal is interactive and supports control codes. `NO_COLOR` turns them off. */
function supportsControlCodes({ TERM, NO_COLOR = '', CI = '' }: Readonly<Record<string, string | undefined>>): boolean {
  return TERM !== 'dumb' && NO_COLOR === '' && (CI === '' || CI === 'false')
}

/** Shortens a text to one line of the terminal, because a wrapped line cannot be cleared. */
function fitToColumns(text: string, columns: number): string {
  return text.length < columns ? text : `${text.slice(0, Math.max(0, columns - 2))}…`
}
