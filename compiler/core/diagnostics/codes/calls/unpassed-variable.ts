/** `unpassed-variable`: a block of `background` reads a variable of the template around it, which it does not see. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unpassedVariable = message(
  'unpassed-variable',
  'warning',
  'UnpassedVariable',
  (name: string) => ({
    text: `The block runs later, in a process of its own, and is not passed ${quoted(name)}: it is nil here.`,
    hint: `Pass it: \`{% background ${name}: ${name} %}\`.`,
  }),
  {
    wrong: '{% assign note = context.params.note %}{{ note }}{% background %}{% log note %}{% endbackground %}',
    right:
      '{% assign note = context.params.note %}{{ note }}{% background note: note %}{% log note %}{% endbackground %}',
  },
)
