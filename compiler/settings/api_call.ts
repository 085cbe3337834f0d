/** Calls of other services. */
import { z } from 'zod'
import type { ApiCallSettings } from '../model/settings.ts'
import { hasLiquid } from './liquid-text.ts'
import { notification, notificationKeys } from './notification.ts'
import { anything, liquid, settings, textOrMapping } from './setting.ts'

const REQUESTS = /^(?:get|post|put|patch|delete|(?:post|put|patch)_multipart)$/i

const requestType = z.string().refine((value) => hasLiquid(value) || REQUESTS.test(value.trim()), {
  error: 'a method such as `GET` or `POST`, or `post_multipart`',
})

const keys = {
  ...notificationKeys,
  request_type: { schema: requestType },
  request_headers: { schema: textOrMapping },
  headers: { schema: textOrMapping, deprecated: 'request_headers' },
  format: { schema: anything },
  callback: { schema: liquid },
} as const

export const apiCall = settings<typeof keys, ApiCallSettings>({
  noun: 'API call',
  keys,
  read: (from, file) => ({
    kind: 'api_call',
    ...notification(from, file),
    requestType: from.liquid('request_type'),
    requestHeaders: from.tree('request_headers', 'headers'),
    callback: from.liquid('callback'),
  }),
})
