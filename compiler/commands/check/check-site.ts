/** The result of `check`: the findings in the chosen files, after fixes and without the baseline. */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { SEVERITIES } from '../../core/diagnostics/print.ts'
import { formatCount } from '../../core/diagnostics/words.ts'
import { type DiscoveredSite, withText } from '../../core/source/discover.ts'
import { type SourceFile, writtenTexts } from '../../core/source/file.ts'
import { UsageError } from '../../core/usage-error.ts'
import { compareWithBaseline, readBaseline, writeBaseline } from './baseline.ts'
import { type Selection, isSelected } from './selection.ts'
import { fixFiles } from './fix.ts'
import { writeFixed } from './write-fixed.ts'

interface CheckFlags {
  readonly fix: boolean
  readonly stdin: boolean
  readonly quiet: boolean
  readonly baseline?: string | undefined
  readonly 'write-baseline'?: string | undefined
  readonly 'max-warnings'?: string | undefined
}

interface CheckResult {
  /** The findings to print, errors first. */
  readonly diagnostics: readonly Diagnostic[]
  /** The findings that the summary line counts. */
  readonly allDiagnostics: readonly Diagnostic[]
  /** The site after `--fix` has changed its files. */
  readonly discovered: DiscoveredSite
  /** Sentences printed after the diagnostics. */
  readonly notes: readonly string[]
  readonly exitCode: 0 | 1
}

/** Checks a site. @throws UsageError for flags that cannot be combined */
export async function checkSite(
  selection: Selection,
  discovered: DiscoveredSite,
  compile: (files: readonly SourceFile[]) => Promise<readonly Diagnostic[]>,
  flags: CheckFlags,
): Promise<CheckResult> {
  const maxWarnings = warningLimit(flags['max-warnings'])
  if (flags.fix && flags.stdin) throw new UsageError('`--fix` and `--stdin` cannot be combined: omit one of them.')
  const notes: string[] = []
  let site = discovered
  let diagnostics = await compile(site.files)
  if (flags.fix) {
    const fixed = await applyFixes(selection, site, diagnostics, compile)
    notes.push(...fixed.notes)
    site = fixed.site
    diagnostics = fixed.diagnostics
  }
  const texts = writtenTexts(site.files)
  const textOf = (path: string) => texts.get(path)
  // Without the check that failed, findings in the chosen files can be missing.
  const isShown = ({ span, code }: Diagnostic): boolean =>
    code === 'custom-check-failed' || isSelected(selection, span.file)
  diagnostics = diagnostics.filter(isShown)
  if (flags['write-baseline'] !== undefined) {
    await writeBaseline(flags['write-baseline'], diagnostics, textOf)
    notes.push(`Wrote ${formatCount(diagnostics.length, 'finding')} to '${flags['write-baseline']}'.`)
    return { diagnostics: [], allDiagnostics: [], discovered: site, notes, exitCode: 0 }
  }
  if (flags.baseline !== undefined) {
    const { fresh, known, gone } = compareWithBaseline(await readBaseline(flags.baseline), diagnostics, textOf)
    diagnostics = fresh
    if (known > 0)
      notes.push(`${formatCount(known, 'finding')} of the baseline ${known === 1 ? 'is' : 'are'} not shown.`)
    const fixedEntries = gone.filter(({ file }) => isSelected(selection, file))
    if (fixedEntries.length > 0) notes.push(fixedEntriesNote(fixedEntries, flags.baseline))
  }
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length
  const isOver = maxWarnings !== null && warnings > maxWarnings
  if (isOver) notes.push(`There are ${formatCount(warnings, 'warning')}, but --max-warnings allows ${maxWarnings}.`)
  const refuses = diagnostics.some(({ severity }) => severity === 'error')
  return {
    diagnostics: sortBySeverity(flags.quiet ? diagnostics.filter(({ severity }) => severity === 'error') : diagnostics),
    allDiagnostics: diagnostics,
    discovered: site,
    notes,
    exitCode: refuses || isOver ? 1 : 0,
  }
}

/** Sorts errors first, then warnings, then infos, each in file order. */
function sortBySeverity(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return SEVERITIES.flatMap((severity) => diagnostics.filter((each) => each.severity === severity))
}

function warningLimit(writtenText: string | undefined): number | null {
  if (writtenText === undefined) return null
  if (!/^\d+$/.test(writtenText)) throw new UsageError(`\`--max-warnings\` takes a number, not '${writtenText}'.`)
  return Number(writtenText)
}

/** Maximum number of fixed baseline entries to list. Further entries are only counted. */
const MAX_LISTED = 5

function fixedEntriesNote(gone: readonly { file: string; code: string; count: number }[], path: string): string {
  const count = gone.reduce((sum, each) => sum + each.count, 0)
  const listed = gone.slice(0, MAX_LISTED).map(({ code, file }) => `${code} in ${file}`)
  const more = gone.length > MAX_LISTED ? `, and ${gone.length - MAX_LISTED} more` : ''
  return `${formatCount(count, 'finding')} of the baseline ${count === 1 ? 'is' : 'are'} fixed (${listed.join(', ')}${more}): \`--write-baseline ${path}\` removes ${count === 1 ? 'it' : 'them'}.`
}

async function applyFixes(
  selection: Selection,
  site: DiscoveredSite,
  diagnostics: readonly Diagnostic[],
  compile: (files: readonly SourceFile[]) => Promise<readonly Diagnostic[]>,
): Promise<{ readonly site: DiscoveredSite; readonly diagnostics: readonly Diagnostic[]; readonly notes: string[] }> {
  const fixed = await fixFiles(site.files, diagnostics, {
    compile,
    withText: (file, text) => withText(file, text, site.siteRoot),
    isChosen: (file) => isSelected(selection, file),
  })
  if (fixed.made === 0) return { site, diagnostics, notes: ['Nothing was fixed: no finding has a safe change.'] }
  const skipped = await writeFixed(selection.root, fixed.texts, writtenTexts(site.files))
  const notes = [
    `Made ${formatCount(fixed.made, 'change')} in ${formatCount(fixed.texts.size - skipped.length, 'file')}.`,
  ]
  for (const path of skipped)
    notes.push(`'${path}' was not fixed, because it changed during the check: run the command again.`)
  return { site: { ...site, files: fixed.files }, diagnostics: fixed.diagnostics, notes }
}
