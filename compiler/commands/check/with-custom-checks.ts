/** `ingot check` of a site with custom checks: they run in another process while the compiler checks the site in this one. */
import { compareByPlace, type Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { UsageError } from '../../core/usage-error.ts'
import { DEFAULT_SECONDS, runCustomChecks } from '../../tools/custom-checks/custom-checks.ts'
import { isSelected, type Selection } from './selection.ts'

/** Maximum time limit in seconds: a day. */
const MAX_SECONDS = 86_400

/**
 * Returns a function that checks files with the compiler and with the custom checks.
 * @param seconds the time limit of the custom checks, as written
 * @throws UsageError for a limit that is not a number of seconds
 */
export function withCustomChecks(selection: Selection, seconds: string | undefined) {
  const limit = secondsFrom(seconds)
  const isChosen = (path: string): boolean => isSelected(selection, path)
  // `--fix` runs the checks several times. One that does not end would need the whole time each time.
  let endings: Awaited<ReturnType<typeof runCustomChecks>>['endings'] = []
  return async (
    files: readonly SourceFile[],
    checkFiles: () => readonly Diagnostic[],
    phase: (doing: string) => void,
  ): Promise<readonly Diagnostic[]> => {
    const running = runCustomChecks(selection.root, files, { seconds: limit, isChosen, endings })
    // The process has started now. The compiler keeps this thread busy.
    const found = checkFiles()
    phase('Running the custom checks')
    const { diagnostics, output, endings: ended } = await running
    endings = ended
    // Standard output belongs to the report.
    process.stderr.write(output)
    return [...found, ...diagnostics].toSorted(compareByPlace)
  }
}

function secondsFrom(written: string | undefined): number {
  if (written === undefined) return DEFAULT_SECONDS
  const seconds = Number(written)
  if (!/^\d+$/.test(written) || seconds === 0 || seconds > MAX_SECONDS)
    throw new UsageError(
      `\`--custom-check-seconds\` takes a number of seconds from 1 to ${MAX_SECONDS}, not '${written}'.`,
    )
  return seconds
}
