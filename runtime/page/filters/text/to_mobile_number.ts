/** `to_mobile_number`: a telephone number in international format. */
import { str } from '../../values/text.ts'
import { isBlank } from '../../values/truth.ts'
import type { Textual } from '../types.ts'
import { countryCode } from './countries.ts'

export const dialect = 'platform'

/** Maximum length of a number, including separators. */
const MAX_LENGTH = 60

/**
 * The number in E.164 format (`+48500123999`); nil for texts that cannot be a number. The country (its name, or its
 * two- or three-letter code) applies to numbers that do not begin with `+`.
 */
export async function to_mobile_number(number: Textual, country: Textual = null): Promise<string | null> {
  const text = str(number).trim()
  const region = isBlank(country) ? null : countryCode(str(country))
  if (text.length > MAX_LENGTH) return null
  const { parsePhoneNumberFromString, isSupportedCountry } = await import('libphonenumber-js/max')
  const phoneNumber =
    region !== null && isSupportedCountry(region)
      ? parsePhoneNumberFromString(text, region)
      : parsePhoneNumberFromString(text)
  return phoneNumber?.isPossible() === true ? phoneNumber.number : null
}
