/** The validations that a form's fields can have, as the running site knows them. */
import { validatorOptions, validators } from '../../../runtime/data/forms/validations.ts'

export type { OptionKind } from '../../../runtime/data/forms/validators/validator.ts'

/** Options by the names of the validations; what each option takes. */
export const RULES = validatorOptions

export const RULE_NAMES: readonly string[] = Object.keys(validatorOptions)

/** What each demands, in a sentence. */
export const RULE_SAYS: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from(validators, ([name, { says }]) => [name, says]),
)
