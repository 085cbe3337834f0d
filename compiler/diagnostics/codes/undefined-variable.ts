/** `undefined-variable`: a name that nothing sets. */
import { message } from '../diagnostic.ts'
import { didYouMean } from '../suggest.ts'
import { quoted } from '../words.ts'

export const undefinedVariable = message(
  'undefined-variable',
  'warning',
  'UndefinedObject',
  (name: string, known: Iterable<string>) => ({
    text: `Nothing sets ${quoted(name)}, so it is always nil.`,
    hint: didYouMean(name, known),
  }),
  {
    wrong: `{% assign title = 'x' %}{{ titel }}{{ title }}`,
    right: `{% assign title = 'x' %}{{ title }}`,
  },
)
