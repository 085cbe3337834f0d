/** `unique`: no other row has the value. Deleted rows are ignored. Blank values are never duplicates. */
import { isBlank } from '../../../page/values/truth.ts'
import { toDeclaredType } from '../cast.ts'
import { booleanOption, listOption } from './options.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'
import { str } from '../../../page/values/text.ts'

export const unique: Validator = {
  description: 'No other record may have the same value, except deleted ones. Blank values may repeat.',
  options: {
    scope: {
      takes: 'fields',
      description:
        'Further fields to compare. The value counts as taken only by a row in which these fields are equal too.',
    },
    case_sensitive: { takes: 'boolean', description: 'Whether `Tea` and `tea` are different values; true by default.' },
  },
  async check(value, check) {
    const names = (listOption(check, 'scope') ?? []).map(str)
    // A stored value was checked when it was written.
    if (isBlank(value) || (!check.isSent && names.length === 0)) return NO_PROBLEMS
    const scope = Object.fromEntries(names.map((name) => [check.pathOf(name), check.valueOfSibling(name)]))
    const caseSensitive = booleanOption(check, 'case_sensitive', true)
    const free = await check.host.unique(check.path, check.field, toDeclaredType(check.field, value), {
      caseSensitive,
      scope,
    })
    return free ? NO_PROBLEMS : problemOf('taken')
  },
}
