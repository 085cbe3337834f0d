/** `constants`: constants with their values. */
import type { QueryField } from '../model.ts'
import { constantsJson } from '../writes/constants.ts'
import { constant } from '../sdl/constant.ts'

export const constants: QueryField = {
  kind: 'query',
  name: 'constants',
  sdl: 'constants(filter: EncryptedConstantsFilterInput, page: Int = 1, per_page: Int = 20, sort: [EncryptedConstantsSortInput!]): EncryptedConstantCollection!',
  types: constant,
  build: constantsJson,
}
