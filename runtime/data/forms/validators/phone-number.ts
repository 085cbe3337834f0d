/** `phone_number`: an international number with its country code (`+48 12 345 67 89`). */
import { isBlank } from '../../../page/values/truth.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

/** Maximum length, including separators. */
const MAX_LENGTH = 60

export const phone_number: Validator = {
  description:
    'The text must be a telephone number with its country code (`+48 12 345 67 89`). Blank values are valid.',
  options: {},
  async check(value) {
    if (isBlank(value)) return NO_PROBLEMS
    if (typeof value !== 'string' || value.length > MAX_LENGTH) return problemOf('invalid')
    const { isValidPhoneNumber } = await import('libphonenumber-js/max')
    return isValidPhoneNumber(value) ? NO_PROBLEMS : problemOf('invalid')
  },
}
