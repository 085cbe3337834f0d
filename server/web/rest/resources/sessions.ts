/** The resource `sessions`. Sessions are created with an email address and a password, and deleted without input. */
import type { RestResource } from '../resource.ts'

export const sessions: RestResource = {
  paths: ['/api/sessions'],
  resource: 'session',
  operations: { single: [], all: ['create', 'delete'] },
  createReplyBody: () => ({}),
}
