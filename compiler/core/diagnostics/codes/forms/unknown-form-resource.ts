/** `unknown-form-resource`: the resource of a form is no table and nothing else that a form can be about. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { listed, quoted } from '../../words.ts'

/** Where no name is near, a table was renamed or never made: the reader wants to see those there are. */
function all(tables: Iterable<string>): string {
  const names = listed(tables)
  return names === '' ? 'The site has no tables: declare it in `app/schema`.' : `The tables are ${names}.`
}

export const unknownFormResource = message(
  'unknown-form-resource',
  'error',
  'FormConfiguration',
  (name: string, gone: string | null, known: Iterable<string>, tables: Iterable<string>) => ({
    text:
      gone === null
        ? `There is no table or resource ${quoted(name)}.`
        : `Forms of the resource ${quoted(name)} are not offered.`,
    ...(gone !== null ? { hint: gone } : (meantName(name, known) ?? { hint: all(tables) })),
  }),
  {
    wrong: formSite({ head: 'resource: bok' }),
    right: formSite({ head: 'resource: book' }),
  },
)
