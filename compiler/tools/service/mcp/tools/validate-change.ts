/** `validate_change`: reports what must be fixed before files are written. */
import * as z from 'zod'
import type { Diagnostic } from '../../../../core/diagnostics/diagnostic.ts'
import { sourceOf } from '../../../../core/source/discover.ts'
import type { Workspace } from '../../workspace.ts'
import { formatDiagnostics, newDiagnostics } from '../format-diagnostics.ts'
import type { AgentSite, FileChange } from '../agent-site.ts'
import { ToolError } from '../tool-error.ts'
import { formatResult, tool } from '../tool.ts'

/** Sites with up to this many templates are analysed as a whole by default. For larger ones that takes seconds. */
const SMALL_SITE = 300

const file = z.object({
  path: z.string().describe('Path in the folder of the site: app/views/pages/index.liquid'),
  text: z.string().nullable().describe('The complete new text; null for a file to be removed'),
})

export const validateChange = tool({
  name: 'validate_change',
  title: 'Check files before they are written',
  description:
    'Checks files that are not written yet, together: new, changed and removed ones, of any kind (Liquid, GraphQL, YAML, translations). Reports problems that the change causes, in these and in other files, with positions, hints and exact edits. Nothing is written. Call it before writing, and fix what `must_mend` lists.',
  input: z.object({
    files: z.array(file).min(1).max(500),
    whole: z
      .boolean()
      .optional()
      .describe(
        'Analyse every file of the site, which takes seconds in a large one; otherwise, a large site is analysed only for the changed files and those that use them',
      ),
  }),
  async run(site, { files, whole }) {
    const workspace = await site.current()
    const change = new Map(files.map(({ path, text }): [string, string | null] => [site.pathOf(path), text]))
    if (change.size < files.length) throw new ToolError('One of the files is given twice.')
    const all = workspace.files()
    const isWhole = whole ?? all.filter(({ path }) => path.endsWith('.liquid')).length <= SMALL_SITE
    const known = workspace.siteAnalysis?.analysis.diagnostics ?? []
    const result = isWhole ? await checkWholeSite(site, change) : checkAffectedFiles(workspace, change)
    const textOf = (path: string) => (change.has(path) ? (change.get(path) ?? undefined) : workspace.writtenText(path))
    const before = known.filter(
      ({ span }) => result.checkedFiles === null || result.checkedFiles.has(span.file) || !change.has(span.file),
    )
    const fresh = newDiagnostics(result.diagnostics, before)
    const oldDiagnostics = newDiagnostics(result.diagnostics, fresh).filter(
      ({ span, severity }) => change.has(span.file) && severity === 'error',
    )
    const errors = fresh.filter(({ severity }) => severity === 'error')
    const ignored = [...change.keys()].filter((path) => isOutsideSite(workspace, path, change.get(path) ?? null))
    return formatResult({
      ok: errors.length === 0 && ignored.length === 0,
      must_mend: formatDiagnostics(errors, textOf),
      warnings: formatDiagnostics(
        fresh.filter(({ severity }) => severity === 'warning'),
        textOf,
      ),
      ...(oldDiagnostics.length > 0 && { wrong_before: formatDiagnostics(oldDiagnostics, textOf) }),
      ...(ignored.length > 0 && { no_files_of_the_site: ignored }),
      looked_at: result.checkedFiles === null ? 'all files' : [...result.checkedFiles],
      ...(result.uncheckedCount > 0 && {
        not_looked_at: `${result.uncheckedCount} more files use what was changed: call again with whole: true`,
      }),
    })
  },
})

interface CheckedChange {
  readonly diagnostics: readonly Diagnostic[]
  /** The files that were checked; null for all files. */
  readonly checkedFiles: ReadonlySet<string> | null
  readonly uncheckedCount: number
}

async function checkWholeSite(site: AgentSite, change: FileChange): Promise<CheckedChange> {
  return { diagnostics: await site.withChange(change), checkedFiles: null, uncheckedCount: 0 }
}

function checkAffectedFiles(workspace: Workspace, change: FileChange): CheckedChange {
  const result = workspace.analyzeChange(change)
  if (result === null) throw new ToolError('The site could not be read.')
  return result
}

function isOutsideSite(workspace: Workspace, path: string, text: string | null): boolean {
  const { disk } = workspace
  return text !== null && disk !== null && sourceOf(path, text, disk.siteRoot) === null
}
