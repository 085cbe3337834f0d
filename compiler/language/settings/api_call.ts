/** Settings of API call notifications. */
import * as z from 'zod'
import { settingValue } from '../../core/diagnostics/codes/settings/setting-value.ts'
import type { ApiCallSettings } from '../../core/model/settings.ts'
import type { YamlNode } from '../../core/source/yaml.ts'
import { hasLiquid } from './liquid-text.ts'
import { notification, notificationKeys } from './notification.ts'
import { liquid, type Reporter, settings, textOrMapping, unread } from './setting.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'post_multipart', 'put_multipart', 'patch_multipart']

const METHOD = 'a method such as `GET` or `POST`, or `post_multipart`'
const requestType = z
  .string({ error: METHOD })
  .refine((value) => hasLiquid(value) || METHODS.some((each) => each.toLowerCase() === value.trim().toLowerCase()), {
    error: METHOD,
    params: { accepted: METHODS },
  })

const keys = {
  ...notificationKeys,
  request_type: {
    schema: requestType,
    takes: 'a method such as `GET` or `POST`, also `post_multipart`, `put_multipart` and `patch_multipart`, or Liquid',
    description:
      'The HTTP method. Methods that end with `_multipart` send files; the body lists the URLs of the files.',
    otherwise: '`GET`',
  },
  request_headers: {
    schema: textOrMapping,
    description: 'The request headers, as a mapping or as JSON text.',
  },
  headers: { schema: textOrMapping, deprecated: 'request_headers', description: 'Older name of `request_headers`.' },
  format: unread('Ignored. Older sites set it, but the body and the headers define the format.'),
  callback: {
    schema: liquid,
    description: 'Liquid that runs after the response. It reads `response` with `status`, `headers` and `body`.',
  },
} as const

/** Headers without Liquid must be JSON. */
function checkRequestHeaders(node: YamlNode | null, report: Reporter): void {
  if (node?.kind !== 'scalar' || node.text.trim() === '' || hasLiquid(node.text)) return
  if (isJsonObject(node.text)) return
  const hint = 'Put names and values in double quotes: `{ "Accept": "text/plain" }`.'
  report.add(settingValue(node.span, 'request_headers', 'a mapping or a JSON object as text', node.text, { hint }))
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

export const apiCall = settings<typeof keys, ApiCallSettings>({
  noun: 'API call',
  description:
    'A request to another service. The body of the file is the body of the request. The passed values are in `data`.',
  keys,
  read: (from, file) => {
    checkRequestHeaders(from.node('request_headers') ?? from.node('headers'), from.report)
    return {
      kind: 'api_call',
      ...notification(from, file),
      requestType: from.liquid('request_type'),
      requestHeaders: from.tree('request_headers', 'headers'),
      callback: from.liquid('callback'),
    }
  },
})
