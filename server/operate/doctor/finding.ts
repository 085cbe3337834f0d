/** What is wrong, or may go wrong, with how a server is set up. */

export interface Finding {
  /** An error breaks something for visitors; a warning may. */
  readonly level: 'error' | 'warning'
  /** One sentence: what is so, what comes of it, and what to set. */
  readonly text: string
}

export function problem(text: string): Finding {
  return { level: 'error', text }
}

export function warning(text: string): Finding {
  return { level: 'warning', text }
}
