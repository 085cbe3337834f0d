/** `unique`: no other row has the value. Deleted rows are ignored. Blank values are never duplicates. */
import { isBlank } from '../../../page/values/truth.ts'
import { toDeclaredType } from '../cast.ts'
import { booleanOption, listOption } from './options.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'
import { str } from '../../../page/values/text.ts'

export const unique: Validator = {
  says: 'No other record may have the same value, except deleted ones. Blank values may repeat.',
  options: {
    scope: {
      takes: 'fields',
      says: 'Further fields to compare. The value counts as taken only by a row in which these fields are equal too.',
    },
    case_sensitive: { takes: 'boolean', says: 'Whether `Tea` and `tea` are different values; true by default.' },
  },
  async check(value, at) {
    const names = (listOption(at, 'scope') ?? []).map(str)
    // A stored value was checked when it was written.
    if (isBlank(value) || (!at.sent && names.length === 0)) return NO_PROBLEMS
    const scope = Object.fromEntries(names.map((name) => [at.pathOf(name), at.valueOfSibling(name)]))
    const caseSensitive = booleanOption(at, 'case_sensitive', true)
    const free = await at.host.unique(at.path, at.field, toDeclaredType(at.field, value), { caseSensitive, scope })
    return free ? NO_PROBLEMS : problemOf('taken')
  },
}
