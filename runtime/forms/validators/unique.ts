/** `unique`: no other living row has the value. Blank values are no duplicates of each other. */
import { isBlank } from '../../values/truth.ts'
import { typed } from '../cast.ts'
import { booleanOption, listOption } from './options.ts'
import { PASSED, type Validator, wrong } from './validator.ts'
import { str } from '../../values/text.ts'

export const unique: Validator = {
  options: { scope: 'fields', case_sensitive: 'boolean' },
  async check(value, at) {
    const names = (listOption(at, 'scope') ?? []).map(str)
    // What is stored already was free when it came.
    if (isBlank(value) || (!at.sent && names.length === 0)) return PASSED
    const scope = Object.fromEntries(names.map((name) => [at.pathOf(name), at.beside(name)]))
    const caseSensitive = booleanOption(at, 'case_sensitive', true)
    const free = await at.checking.unique(at.path, at.field, typed(at.field, value), { caseSensitive, scope })
    return free ? PASSED : wrong('taken')
  },
}
