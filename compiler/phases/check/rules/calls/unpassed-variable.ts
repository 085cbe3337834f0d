/** `unpassed-variable`: a `background` block reads a variable of the template around it, which is not passed. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unpassedVariable = message(
  'unpassed-variable',
  'warning',
  'UnpassedVariable',
  (name: string) => ({
    subject: { kind: 'variable', name },
    text: `${quote(name)} is nil here, because the block runs later in another process and the variable is not passed.`,
    hint: `Pass it: \`{% background ${name}: ${name} %}\`.`,
  }),
  {
    wrong: '{% assign note = context.params.note %}{{ note }}{% background %}{% log note %}{% endbackground %}',
    right:
      '{% assign note = context.params.note %}{{ note }}{% background note: note %}{% log note %}{% endbackground %}',
  },
)
