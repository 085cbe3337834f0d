/** `inclusion`: in a list. For a list value, each element must be. */
import { among } from './among.ts'
import { PASSED, type Validator, wrong } from './validator.ts'

export const inclusion: Validator = {
  says: 'The value must be one of a list; of a list value, each element must be one.',
  options: {
    in: { takes: 'list', says: 'The values that are taken, or a range of numbers.' },
  },
  check: (value, at) => (among(value, at).every(Boolean) ? PASSED : wrong('inclusion')),
}
