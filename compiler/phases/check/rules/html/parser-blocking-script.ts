/** `parser-blocking-script`: a script that blocks the loading of the page. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import type { HtmlScan } from '../../walk/html.ts'
import type { SourceFile } from '../../../../core/source/file.ts'

export const parserBlockingScript = message(
  'parser-blocking-script',
  'warning',
  'ParserBlockingScript',
  () => ({
    text: 'This script blocks the loading of the page.',
    hint: 'Add `defer` or `async`.',
    change: { edits: [{ match: '(\\s*/?>)$', text: ' defer$1' }] },
  }),
  {
    wrong: { 'app/views/pages/index.liquid': '<script src="/assets/a.js"></script>', 'app/assets/a.js': '' },
    right: { 'app/views/pages/index.liquid': '<script src="/assets/a.js" defer></script>', 'app/assets/a.js': '' },
  },
)

/** Reports scripts with a `src` that the browser loads and runs before the rest of the page, except in emails. */
export function checkScripts({ elements }: HtmlScan, { kind }: SourceFile): readonly Diagnostic[] {
  if (kind === 'email') return []
  return elements.flatMap(({ name, attributes, dynamic, span }) => {
    if (name !== 'script' || dynamic || !attributes.has('src')) return []
    const isNonBlocking = attributes.has('defer') || attributes.has('async') || attributes.get('type') === 'module'
    return isNonBlocking ? [] : [parserBlockingScript(span)]
  })
}
