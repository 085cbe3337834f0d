/** The registry of validations, and the options of each kind, which the compiler checks configurations against. */
import { absence } from './absence.ts'
import { acceptance } from './acceptance.ts'
import { confirmation } from './confirmation.ts'
import { date } from './date.ts'
import { datetime } from './datetime.ts'
import { email } from './email.ts'
import { exclusion } from './exclusion.ts'
import { file_content_type } from './file-content-type.ts'
import { format } from './format.ts'
import { geometry } from './geometry.ts'
import { inclusion } from './inclusion.ts'
import { length } from './length.ts'
import { numericality } from './numericality.ts'
import { phone_number } from './phone-number.ts'
import { presence } from './presence.ts'
import { unique } from './unique.ts'
import type { OptionDef, Validator } from './validator.ts'

/** By every name that a configuration may use. */
export const validators: ReadonlyMap<string, Validator> = new Map(
  Object.entries({
    presence,
    absence,
    email,
    confirmation,
    length,
    inclusion,
    exclusion,
    format,
    numericality,
    unique,
    uniqueness: unique,
    acceptance,
    datetime,
    date,
    phone_number,
    geometry,
    file_content_type,
  }),
)

/** The options of each kind, beside `message`, `if`, `allow_nil`, `allow_blank` and `on`, which all have. */
export const validatorOptions: Readonly<Record<string, Readonly<Record<string, OptionDef>>>> = Object.fromEntries(
  Array.from(validators, ([kind, validator]) => [kind, validator.options]),
)
