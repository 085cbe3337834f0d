/** `unknown-form-resource`: the resource of a form does not exist or is not supported. Reported by `FormLinker` (phases/link/forms.ts). */
import { listTables, suggestName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { quote } from '../../words.ts'

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
