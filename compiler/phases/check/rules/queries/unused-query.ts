/** `unused-query`: a stored query that is never run. */
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { hasUnreadableTemplate } from '../../site/reach.ts'
import { likelyFiles } from '../../site/likely-files.ts'

export const unusedQuery = message(
  'unused-query',
  'info',
  'WS04',
  (name: string) => ({
    subject: { kind: 'query', name },
    text: `The query ${quote(name)} is never run.`,
    hint: 'Remove the file, or run it with `graphql`.',
  }),
  {
    wrong: bookSite({ page: 'x' }),
    right: bookSite({}),
  },
)

/** Reports stored queries of the site itself that no template runs. Other sites may use the queries of a module. */
export function checkUnusedQueries(checked: CheckedSite): readonly Diagnostic[] {
  const { site, operations, siteTemplates, factsOf } = checked
  if (hasUnreadableTemplate(site)) return []
  const files = likelyFiles(checked)
  const usedNames = new Set<string>()
  for (const {
    key,
    unit: { file },
  } of siteTemplates) {
    if (file.kind === 'partial' && !files.has(file.path)) continue
    for (const { names, suggested } of factsOf(key)?.queries ?? [])
      for (const name of [...names, ...suggested]) usedNames.add(name)
  }
  return [...operations.storedOperations].flatMap(([name, { span }]) => {
    const file = site.byFile.get(span.file)?.file
    return usedNames.has(name) || file === undefined || file.module !== null || file.override
      ? []
      : [unusedQuery({ ...span, end: span.start }, name)]
  })
}
