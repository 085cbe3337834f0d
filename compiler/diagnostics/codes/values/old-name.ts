/** `old-name`: a name that nothing sets, which reads the field of `context` that is called so. */
import { instead } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const oldName = message(
  'old-name',
  'info',
  'UndefinedObject',
  /** `meant`: the spelling of today (`context.params`). */
  (name: string, meant: string) => ({
    text: `Nothing sets ${quoted(name)}, so it reads ${quoted(meant)}.`,
    ...instead(meant, true),
  }),
  {
    wrong: `{{ params.id }}`,
    right: `{{ context.params.id }}`,
  },
)
