/** `constant_unset`: removes a constant. */
import type { MutationField } from '../model.ts'
import { unsetConstant } from '../writes/constants.ts'

export const constant_unset: MutationField = {
  kind: 'mutation',
  name: 'constant_unset',
  sdl: 'constant_unset(name: String!): EncryptedConstant',
  changedCache: 'constants',
  build: (call, build) => unsetConstant(call, build),
}
