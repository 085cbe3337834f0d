/** How far a command is, told on a terminal where somebody waits for it. */
import { statusLine, type Terminal, timed } from '../../runtime/data/status-line.ts'
import { atOnce, type Milestone, type Walk } from '../model/steps.ts'

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
 */
export function progressOn(terminal: Terminal, env: Readonly<Record<string, string | undefined>>): Progress {
  const line = statusLine(terminal, env)
  if (line === null) return SILENT
  let read: Milestone = { doing: '', done: 0, of: 0 }
  let checkedSince: number | null = null
  return {
    walk(steps) {
      for (;;) {
        const step = steps.next()
        if (step.done === true) return step.value
        // Files are read one by one. The steps of a check are no files: it comes to a file as often as it learns something new of it.
        if (step.value === undefined) checkedSince ??= performance.now()
        else read = step.value
        const since = checkedSince
        line.show(() =>
          since === null ? milestone(read) : timed(`Checking ${filesOf(read.of)}`, performance.now() - since),
        )
      }
    },
    phase: (doing) => line.during(doing),
    clear: () => line.clear(),
  }
}

function milestone({ doing, done, of }: Milestone): string {
  return `${doing} ${grouped(done)} of ${filesOf(of)} …`
}

function filesOf(count: number): string {
  return `${grouped(count)} file${count === 1 ? '' : 's'}`
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}
