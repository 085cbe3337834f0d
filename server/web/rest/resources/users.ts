/** The resource `users`. */
import { withNumericId, type RestResource } from '../resource.ts'

export const users: RestResource = {
  paths: ['/api/users'],
  resource: 'user',
  operations: { single: ['update', 'delete'], all: ['create'] },
  createReplyBody: withNumericId,
}
