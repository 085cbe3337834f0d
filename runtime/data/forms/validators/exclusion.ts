/** `exclusion`: not in a list. For a list value, no element may be. */
import { among } from './among.ts'
import { PASSED, type Validator, wrong } from './validator.ts'

export const exclusion: Validator = {
  says: 'The value must be none of a list; of a list value, no element may be one.',
  options: {
    in: { takes: 'list', says: 'The values that are refused, or a range of numbers.' },
  },
  check: (value, at) => (among(value, at).some(Boolean) ? wrong('exclusion') : PASSED),
}
