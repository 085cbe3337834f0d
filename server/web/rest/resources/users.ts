/** The resource `users`. */
import { withNumericId, type RestResource } from '../resource.ts'

export const users: RestResource = {
  paths: ['/api/users'],
  of: 'user',
  operations: { one: ['update', 'delete'], all: ['create'] },
  createReplyBody: withNumericId,
}
