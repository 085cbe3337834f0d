/** `old-name`: a name that is never set, so it reads the field of `context` with the same name. */
import { replaceWith } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const oldName = message(
  'old-name',
  'info',
  'UndefinedObject',
  /** `suggestion`: the current spelling (`context.params`). `always`: whichever file calls this file, the name has only that meaning. */
  (name: string, suggestion: string, always: boolean) => ({
    subject: { kind: 'variable', name, meant: suggestion },
    text: `No variable ${quote(name)} is set, so this reads ${quote(suggestion)}.`,
    ...replaceWith(suggestion, always),
  }),
  {
    wrong: `{{ params.id }}`,
    right: `{{ context.params.id }}`,
  },
)
