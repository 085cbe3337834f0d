/** `check_site`: reports the problems of the site on disk. */
import * as z from 'zod'
import { formatDiagnostics } from '../format-diagnostics.ts'
import { formatResult, tool } from '../tool.ts'

export const checkSite = tool({
  name: 'check_site',
  title: 'Check the site',
  description:
    'Reports the problems of the site on disk, as `ingot check` does: errors first, each with its position, hint and exact edits.',
  input: z.object({
    paths: z.array(z.string()).optional().describe('Only these files, and files in these folders'),
    errors_only: z.boolean().default(false),
  }),
  async run(site, { paths, errors_only: onlyErrors }) {
    const workspace = await site.current()
    const chosenNames = paths?.map((path) => site.pathOf(path))
    const isChosen = (file: string): boolean =>
      chosenNames === undefined || chosenNames.some((path) => file === path || file.startsWith(`${path}/`))
    const diagnostics = (workspace.siteAnalysis?.analysis.diagnostics ?? []).filter(({ span }) => isChosen(span.file))
    const counts = { errors: 0, warnings: 0 }
    for (const { severity } of diagnostics)
      if (severity !== 'info') counts[severity === 'error' ? 'errors' : 'warnings']++
    const reported = onlyErrors ? diagnostics.filter(({ severity }) => severity === 'error') : diagnostics
    const found = formatDiagnostics(reported, (path) => workspace.writtenText(path))
    return formatResult({ files: workspace.files().length, ...counts, found })
  },
})
