/** The validations of form fields, as implemented in the runtime. */
import { validatorOptions, validators } from '../../../runtime/data/forms/validations.ts'

export type { OptionKind } from '../../../runtime/data/forms/validators/validator.ts'

/** The options of each validation, with the kind of each option. */
export const RULES = validatorOptions

export const RULE_NAMES: readonly string[] = Object.keys(validatorOptions)

/** A description of each validation. */
export const RULE_SAYS: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from(validators, ([name, { description }]) => [name, description]),
)
