/** `exclusion`: the value is not in a list. If the value is a list, none of its elements may be in the list. */
import { isAmong } from './among.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

export const exclusion: Validator = {
  says: 'The value must not be in a list. If the value is itself a list, none of its elements may be in the list.',
  options: {
    in: { takes: 'list', says: 'The values that are rejected, or a range of numbers.' },
  },
  check: (value, at) => (isAmong(value, at).some(Boolean) ? problemOf('exclusion') : NO_PROBLEMS),
}
