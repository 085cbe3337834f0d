/** `unknown-form-resource`: the resource of a form does not exist or is not supported. Reported by `FormLinker` (phases/link/forms.ts). */
import { suggestName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { joinWithAnd, quote } from '../../words.ts'

/** Returns a hint with all tables, for a name that is not similar to any of them. */
function listTables(tables: Iterable<string>): string {
  const names = joinWithAnd(tables)
  return names === '' ? 'The site has no tables. Declare the table in `app/schema`.' : `The tables are ${names}.`
}

export const unknownFormResource = message(
  'unknown-form-resource',
  'error',
  'FormConfiguration',
  (name: string, gone: string | null, knownNames: Iterable<string>, tables: Iterable<string>) => ({
    text:
      gone === null
        ? `There is no table or resource named ${quote(name)}.`
        : `Forms for the resource ${quote(name)} are not supported.`,
    ...(gone !== null ? { hint: gone } : (suggestName(name, knownNames) ?? { hint: listTables(tables) })),
  }),
  {
    wrong: formSite({ head: 'resource: bok' }),
    right: formSite({ head: 'resource: book' }),
  },
)
