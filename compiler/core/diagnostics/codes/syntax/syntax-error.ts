/**
 * `syntax-error`: markup that the grammar does not allow. More specific codes are tried first. Reported by `refusalDiagnostic`
 * (phases/parse/base/base-items.ts), `TreeBuilder` (phases/parse/build-tree.ts), `strictNoteDiagnostic` (phases/parse/notes.ts),
 * `leftoverDiagnostic` (phases/parse/notes.ts) and `explainError` (phases/parse/syntax-errors.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const syntaxError = message(
  'syntax-error',
  'error',
  'LiquidHTMLSyntaxError',
  (found: string, expected: string) => ({
    text: `${found === '' ? 'The markup ends here' : `${quote(found)} is not allowed here`}; expected ${expected}.`,
  }),
  {
    wrong: '{{ context.params[ }}',
    right: `{{ context.params['a'] }}`,
  },
)
