/** A line of a terminal that says how far long work is: written again and again, and wiped before anything else is printed. */

/** What is written to: a stream of the process. */
export interface Terminal {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  write(text: string): unknown
}

export interface StatusLine {
  /** Writes the line anew where it is time for it; the text is asked for only then. */
  show(text: () => string): void
  /** Says what is done, and for how long, until something else is said: of work that cannot say how far it is. */
  during(doing: string): void
  /** Wipes it. */
  clear(): void
}

/** Milliseconds until it is shown first: work that is over by then needs none. */
const SHOW_AFTER = 500
/** Milliseconds between two writings. */
const UPDATE_INTERVAL = 100
/** To the beginning of the line, and away with what stands there. */
const CLEAR_LINE = '\r\u001b[K'
/** Columns of a terminal that does not say how wide it is: undefined, or none. */
const COLUMNS = 80

/**
 * Null where nobody looks, or where a line cannot be written again.
 * @param env variables of the process
 * @param now milliseconds
 */
export function statusLine(
  to: Terminal,
  env: Readonly<Record<string, string | undefined>>,
  now: () => number = () => performance.now(),
): StatusLine | null {
  if (to.isTTY !== true || !supportsControlCodes(env)) return null
  let next = now() + SHOW_AFTER
  let isShown = false
  let timer: NodeJS.Timeout | undefined
  const write = (text: () => string): void => {
    if (now() < next) return
    next = now() + UPDATE_INTERVAL
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
      // It was made room for: what is said behind that is said at once.
      next = now()
    },
  }
}

/** What is done, and for how many milliseconds. */
export function withSeconds(doing: string, ms: number): string {
  return `${doing} … ${Math.round(ms / 1000)} s`
}

/** Whether a terminal is one that a person watches and that knows codes; `NO_COLOR` asks for none of them. */
function supportsControlCodes({ TERM, NO_COLOR = '', CI = '' }: Readonly<Record<string, string | undefined>>): boolean {
  return TERM !== 'dumb' && NO_COLOR === '' && (CI === '' || CI === 'false')
}

/** As much as stands on one line: what is broken to a second cannot be wiped. */
function fitToColumns(text: string, columns: number): string {
  return text.length < columns ? text : `${text.slice(0, Math.max(0, columns - 2))}…`
}
