/** Sessions: made by an address and a password, ended without any. */
import type { RestResource } from '../resource.ts'

export const sessions: RestResource = {
  paths: ['/api/sessions'],
  of: 'session',
  operations: { one: [], all: ['create', 'delete'] },
  created: () => ({}),
}
