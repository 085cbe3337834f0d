/** `ignored-file`: a file in `app/` or in a module that is not part of the site. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import type { IgnoredPath } from '../../../../core/source/discover.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const ignoredFile = message(
  'ignored-file',
  'warning',
  'IgnoredFile',
  /** `suggestion`: the path that was probably meant. */
  (reason: string, suggestion: string | null) => ({
    text: `This file is ignored: ${reason}.`,
    hint: suggestion === null ? undefined : `Did you mean ${quote(suggestion)}?`,
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': 'x',
      'app/schema/item.yaml': `name: item
`,
    },
    right: {
      'app/views/pages/index.liquid': 'x',
      'app/schema/item.yml': `name: item
`,
    },
  },
)

/** Returns a diagnostic for each file that was ignored when the site was read. */
export function reportIgnored(ignored: readonly IgnoredPath[]): readonly Diagnostic[] {
  return ignored.map(({ path, message: reason, suggestion }) =>
    ignoredFile({ file: path, start: 0, end: 0 }, reason, suggestion),
  )
}
