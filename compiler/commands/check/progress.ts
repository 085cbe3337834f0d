/** How far a command is, told on a terminal where somebody waits for it. */
import { statusLine, type Terminal, withSeconds } from '../../../runtime/data/status-line.ts'
import { atOnce, type Milestone, type Walk } from '../../core/model/steps.ts'

export interface Progress {
  /** Does the steps of an analysis, and tells of each. */
  readonly walk: Walk
  /** Tells what is done from here on, and for how long. */
  phase(doing: string): void
  /** Takes away what is told: it stands in the way of what is printed. */
  clear(): void
}

const SILENT: Progress = { walk: atOnce, phase: () => undefined, clear: () => undefined }

/**
 * Does work that tells on standard error how far it is.
 * @param isQuiet nothing is to be told
 */
export async function withProgress<Result>(
  isQuiet: boolean,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const progress = isQuiet ? SILENT : progressOn(process.stderr, process.env)
  try {
    return await work(progress)
  } finally {
    progress.clear()
  }
}

/**
 * Costs nothing where nobody looks.
 * @param env variables of the process
 * @param now milliseconds
 */
export function progressOn(
  terminal: Terminal,
  env: Readonly<Record<string, string | undefined>>,
  now: () => number = () => performance.now(),
): Progress {
  const line = statusLine(terminal, env, now)
  if (line === null) return SILENT
  let last: Milestone = { doing: '' }
  let since = 0
  return {
    walk(steps) {
      for (;;) {
        const step = steps.next()
        if (step.done === true) return step.value
        const { value = last } = step
        if (value.doing !== last.doing) since = now()
        last = value
        line.show(() => told(value, now() - since))
      }
    },
    phase: (doing) => line.during(doing),
    clear: () => line.clear(),
  }
}

/** @param ms for how long the same is done */
function told({ doing, share }: Milestone, ms: number): string {
  if (share === undefined) return withSeconds(doing, ms)
  const { done, of, things } = share
  return `${doing} ${grouped(done)} of ${grouped(of)} ${things}${of === 1 ? '' : 's'} …`
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}
