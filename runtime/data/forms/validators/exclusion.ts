/** `exclusion`: not in a list. For a list value, no element may be. */
import { isAmong } from './among.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

export const exclusion: Validator = {
  description: 'The value must not be in a list. For a list value, no element may be in it.',
  options: {
    in: { takes: 'list', description: 'The values that are rejected, or a range of numbers.' },
  },
  check: (value, check) => (isAmong(value, check).some(Boolean) ? problemOf('exclusion') : NO_PROBLEMS),
}
