/** `emitter-bug`: the compiler wrote TypeScript that does not type-check. The fault is never that of the author. */
import { message } from '../../diagnostic.ts'

export const emitterBug = message(
  'emitter-bug',
  'error',
  'EmitterBug',
  (problem: string) => ({
    text: `The compiler made a mistake here: ${problem}`,
    hint: 'Please report it with this template.',
  }),
  {
    wrong: '',
    right: 'x',
  },
)
