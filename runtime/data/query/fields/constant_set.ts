/** `constant_set`: creates or replaces a constant. */
import type { MutationField } from '../model.ts'
import { setConstant } from '../writes/constants.ts'

export const constant_set: MutationField = {
  kind: 'mutation',
  name: 'constant_set',
  sdl: 'constant_set(name: String!, value: String!): EncryptedConstant!',
  changedCache: 'constants',
  build: (call, build) => setConstant(call, build),
}
