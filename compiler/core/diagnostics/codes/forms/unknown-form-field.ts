/** `unknown-form-field`: a form with a field that its resource does not have. Reported by `FormLinker` (phases/link/forms.ts). */
import { suggestName } from '../../change.ts'
import type { Span } from '../../../source/span.ts'
import { message, relatedAt } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { joinWithAnd, type NameList, quote, capitalize } from '../../words.ts'

/** Returns a hint with all fields, for a name that is not similar to any of them. */
function listFields(knownNames: NameList): string {
  const names = joinWithAnd(knownNames, 20)
  return names === ''
    ? 'None are declared. For a value that is not stored, set `property_options: { virtual: true }`.'
    : `The existing names are ${names}.`
}

/** The owner of a field: a table or profile with its name, or another resource. */
export interface FieldOwnerName {
  readonly name: string | null
  readonly description: string
  readonly isUser?: true
}

export const unknownFormField = message(
  'unknown-form-field',
  'warning',
  'WS14',
  (
    sort: 'attribute' | 'property' | 'profile' | 'table' | 'field',
    name: string,
    owner: FieldOwnerName,
    knownNames: NameList,
    fix: string | null,
    declarationSpan: Span | null,
  ) => ({
    subject: {
      kind: owner.isUser === true ? 'user property' : sort === 'property' && owner.name !== null ? 'property' : 'field',
      name,
      of: owner.name,
    },
    text: `${capitalize(owner.description)} has no ${sort} ${quote(name)}.`,
    ...(fix !== null ? { hint: fix } : (suggestName(name, knownNames) ?? { hint: listFields(knownNames) })),
    related: relatedAt(declarationSpan, 'it is declared here'),
  }),
  {
    wrong: formSite({ fields: '  properties:\n    titel:' }),
    right: formSite({ fields: '  properties:\n    title:' }),
  },
)
