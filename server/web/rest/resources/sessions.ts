/** Sessions: created with an e-mail and a password, deleted without input. */
import type { RestResource } from '../resource.ts'

export const sessions: RestResource = {
  paths: ['/api/sessions'],
  of: 'session',
  operations: { one: [], all: ['create', 'delete'] },
  created: () => ({}),
}
