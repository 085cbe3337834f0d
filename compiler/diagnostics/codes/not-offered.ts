/** `not-offered`: something of the language that this host does not offer yet. */
import { message } from '../diagnostic.ts'

export const notOffered = message(
  'not-offered',
  'info',
  'NotOffered',
  (what: string) => ({
    text: `This host does not offer ${what} yet: the place raises an error when it is reached.`,
  }),
  {
    wrong: `{% transaction %}{% print 'saved' %}{% endtransaction %}`,
    right: `{% print 'saved' %}`,
  },
)
