/** The resource `records`. Its older path names are `customizations` and `models`. */
import { withNumericId, type RestResource } from '../resource.ts'

export const customizations: RestResource = {
  paths: [
    '/api/user/customizations',
    '/api/customizations',
    '/api/user/models',
    '/api/models',
    '/api/user/records',
    '/api/records',
  ],
  resource: 'record',
  operations: { single: ['update', 'delete'], all: ['create'] },
  createReplyBody: withNumericId,
}
