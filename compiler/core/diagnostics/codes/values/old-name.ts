/** `old-name`: a name that nothing sets, which reads the field of `context` that is called so. */
import { instead } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const oldName = message(
  'old-name',
  'info',
  'UndefinedObject',
  /** `meant`: the spelling of today (`context.params`). `always`: the name means nothing else there, whoever calls the file. */
  (name: string, meant: string, always: boolean) => ({
    text: `Nothing sets ${quoted(name)}, so it reads ${quoted(meant)}.`,
    ...instead(meant, always),
  }),
  {
    wrong: `{{ params.id }}`,
    right: `{{ context.params.id }}`,
  },
)
