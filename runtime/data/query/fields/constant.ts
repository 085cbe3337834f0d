/** `constant`: the first constant that matches a filter. */
import type { QueryField } from '../model.ts'
import { constantJson } from '../writes/constants.ts'

export const constant: QueryField = {
  kind: 'query',
  name: 'constant',
  sdl: 'constant(filter: EncryptedConstantFilterInput): EncryptedConstant @deprecated',
  build: constantJson,
}
