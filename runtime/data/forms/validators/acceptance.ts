/** `acceptance`: the visitor agrees to terms. An update that does not send the field keeps the agreement. */
import { str } from '../../../page/values/text.ts'
import { listOption } from './options.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

const YES: readonly unknown[] = ['1', 'true', 'on']

export const acceptance: Validator = {
  description:
    'The visitor must agree, as with a checkbox for terms. An update that does not send the field keeps the agreement.',
  options: {
    accept: { takes: 'list', description: 'The values that count as agreement, instead of `1`, `true` and `on`.' },
  },
  check(value, check) {
    if (check.host.on === 'update' && !check.isSent) return NO_PROBLEMS
    const accepted = new Set((listOption(check, 'accept') ?? YES).map(str))
    if (value === null || value === undefined) return problemOf('accepted')
    return accepted.has(str(value)) ? NO_PROBLEMS : problemOf('accepted')
  },
}
