/** `syntax-error`: markup that the grammar does not allow. More specific codes are tried first. */
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
