/** A problem, or a risk, in the setup of a server. */

export interface Finding {
  /** An error affects visitors; a warning may affect them. */
  readonly level: 'error' | 'warning'
  /** One or two sentences: the problem, its effect, and what to set. */
  readonly text: string
}

export function problem(text: string): Finding {
  return { level: 'error', text }
}

export function warning(text: string): Finding {
  return { level: 'warning', text }
}
