/** `emitter-bug`: the compiler emitted TypeScript with type errors. This is never the fault of the author. */
import { message } from '../../diagnostic.ts'

export const emitterBug = message(
  'emitter-bug',
  'error',
  'EmitterBug',
  (problem: string) => ({
    text: `The compiler has a bug here: ${problem}`,
    hint: 'Please report it together with this template.',
  }),
  {
    wrong: '',
    right: 'x',
  },
)
