/** Shows the progress of a command on a terminal. */
import { statusLine, type Terminal, withSeconds } from '../../../runtime/data/status-line.ts'
import { runSteps, type Milestone, type RunSteps } from '../../core/model/steps.ts'

export interface Progress {
  /** Runs the steps of an analysis, and shows each. */
  readonly walk: RunSteps
  /** Shows a phase, and the time since it began. */
  phase(doing: string): void
  /** Clears the progress line, so that other output can be printed. */
  clear(): void
}

const SILENT: Progress = { walk: runSteps, phase: () => undefined, clear: () => undefined }

/** Runs work that shows its progress on standard error. @param isQuiet shows nothing */
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
 * Returns a progress display that does nothing without a terminal.
 * @param env environment variables of the process
 * @param now milliseconds
 * @internal Exported for tests.
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
        line.show(() => formatMilestone(value, now() - since))
      }
    },
    phase: (doing) => line.during(doing),
    clear: () => line.clear(),
  }
}

/** Formats the line that shows the progress of a phase. @param ms milliseconds since the phase began */
function formatMilestone({ doing, share }: Milestone, ms: number): string {
  if (share === undefined) return withSeconds(doing, ms)
  const { doneCount, total, things } = share
  return `${doing} ${formatCount(doneCount)} of ${formatCount(total)} ${things}${total === 1 ? '' : 's'} …`
}

function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}
