/** Writes the messages of validations from the site's translations, otherwise English. */
import { localeOf, lookup } from '../../page/filters/translation/lookup.ts'
import { fillPlaceholders, translate } from '../../page/filters/translation/translate.ts'
import { humanizeName } from '../../page/filters/text/humanize-name.ts'
import type { Render } from '../../page/render.ts'
import { str } from '../../page/values/text.ts'

/** A validation error before its message is written. */
export interface ValidationProblem {
  /** The key of the message, below `errors.messages`, such as `too_short`. */
  readonly key: string
  readonly count?: number | string
  /** The message itself, when it has no translation key. */
  readonly text?: string
  /** The field that gets the error, when it is a different field than the checked one. */
  readonly at?: string
}

const ENGLISH: Readonly<Record<string, string | { readonly one: string; readonly other: string }>> = {
  accepted: 'must be accepted',
  blank: "can't be blank",
  challenge: 'spam protection: the challenge was not met',
  confirmation: "doesn't match %{attribute}",
  empty: "can't be empty",
  equal_to: 'must be equal to %{count}',
  even: 'must be even',
  exclusion: 'is reserved',
  greater_than: 'must be greater than %{count}',
  greater_than_or_equal_to: 'must be greater than or equal to %{count}',
  inclusion: 'is not included in the list',
  invalid: 'is invalid',
  less_than: 'must be less than %{count}',
  less_than_or_equal_to: 'must be less than or equal to %{count}',
  not_a_number: 'is not a number',
  not_an_integer: 'must be an integer',
  odd: 'must be odd',
  page_expired: 'the page has expired: please try again',
  other_than: 'must be other than %{count}',
  present: 'must be blank',
  taken: 'has already been taken',
  too_long: {
    one: 'is too long (maximum is %{count} character)',
    other: 'is too long (maximum is %{count} characters)',
  },
  too_short: {
    one: 'is too short (minimum is %{count} character)',
    other: 'is too short (minimum is %{count} characters)',
  },
  wrong_length: {
    one: 'is the wrong length (should be %{count} character)',
    other: 'is the wrong length (should be %{count} characters)',
  },
}

/** Maximum length of a value in a message. */
const MAX_SHOWN = 100

/**
 * Writes the message of a problem. `custom` is the rule's configured text, and `name` is the label of the field. Both may contain
 * `%{count}`, `%{attribute}` and `%{value}`.
 */
export function messageOf(
  r: Render,
  problem: ValidationProblem,
  name: string,
  value: unknown,
  custom: string | null,
): string {
  const valueText = typeof value === 'object' ? '' : str(value).slice(0, MAX_SHOWN)
  const options = {
    attribute: humanizeName(name),
    value: valueText,
    ...(problem.count === undefined ? {} : { count: problem.count }),
  }
  if (custom !== null) return fillPlaceholders(custom, options, str)
  for (const key of [`errors.messages.${problem.key}`, `errors.${problem.key}`]) {
    if (lookup(r.site, localeOf(r), key) === null && lookup(r.site, 'en', key) === null) continue
    const text = translate(r, key, options, str)
    // Skips translations that have plural forms but lack the needed one.
    if (text !== null && typeof text === 'object' && !('$text' in text)) continue
    return str(text)
  }
  const english = Object.hasOwn(ENGLISH, problem.key) ? ENGLISH[problem.key] : undefined
  const text = typeof english === 'object' ? (Number(problem.count) === 1 ? english.one : english.other) : english
  return fillPlaceholders(problem.text ?? text ?? 'is invalid', options, str)
}
