/** `exclusion`: the value is not in a list. If the value is a list, none of its elements may be in the list. */
import { isAmong } from './among.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

export const exclusion: Validator = {
  description:
    'The value must not be in a list. If the value is itself a list, none of its elements may be in the list.',
  options: {
    in: { takes: 'list', description: 'The values that are rejected, or a range of numbers.' },
  },
  check: (value, check) => (isAmong(value, check).some(Boolean) ? problemOf('exclusion') : NO_PROBLEMS),
}
