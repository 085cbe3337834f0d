/** `email`: an e-mail address. Blank values are left to `presence`. A line end would begin another header of a mail. */
import { is_email_valid } from '../../../page/filters/text/is_email_valid.ts'
import { isBlank } from '../../../page/values/truth.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

export const email: Validator = {
  description: 'The text must be an e-mail address. Blank values are valid.',
  options: {},
  check: (value) =>
    isBlank(value) || (typeof value === 'string' && !/[\r\n]/.test(value) && is_email_valid(value.trim()))
      ? NO_PROBLEMS
      : problemOf('invalid'),
}
