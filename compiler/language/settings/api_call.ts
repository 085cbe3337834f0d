/** Calls of other services. */
import * as z from 'zod'
import { settingValue } from '../../core/diagnostics/codes/settings/setting-value.ts'
import type { ApiCallSettings } from '../../core/model/settings.ts'
import type { YamlNode } from '../../core/source/yaml.ts'
import { hasLiquid } from './liquid-text.ts'
import { notification, notificationKeys } from './notification.ts'
import { anything, liquid, type Reporter, settings, textOrMapping } from './setting.ts'

const REQUESTS = /^(?:get|post|put|patch|delete|(?:post|put|patch)_multipart)$/i

const METHOD = 'a method such as `GET` or `POST`, or `post_multipart`'
const requestType = z
  .string({ error: METHOD })
  .refine((value) => hasLiquid(value) || REQUESTS.test(value.trim()), { error: METHOD })

const keys = {
  ...notificationKeys,
  request_type: {
    schema: requestType,
    takes: 'a method such as `GET` or `POST`, also `post_multipart`, `put_multipart` and `patch_multipart`, or Liquid',
    says: 'The method of the call; those that end in `_multipart` send files, which the body lists by their addresses.',
    otherwise: '`GET`',
  },
  request_headers: {
    schema: textOrMapping,
    says: 'Headers of the call, as a mapping or as the text of a JSON object.',
  },
  headers: { schema: textOrMapping, deprecated: 'request_headers', says: 'Older name of `request_headers`.' },
  format: {
    schema: anything,
    says: 'What older sites write here; the body and the headers tell what is sent.',
    unread: true,
  },
  callback: {
    schema: liquid,
    says: 'Runs when the answer is there, which it reads as `response`: its `status`, `headers` and `body`.',
  },
} as const

/** Headers in a text without Liquid are JSON. */
function checkRequestHeaders(node: YamlNode | null, report: Reporter): void {
  if (node?.kind !== 'scalar' || node.text.trim() === '' || hasLiquid(node.text)) return
  if (isJsonObject(node.text)) return
  const hint = 'Names and values stand in double quotes: `{ "Accept": "text/plain" }`.'
  report.add(settingValue(node.span, 'request_headers', 'a mapping or the text of a JSON object', node.text, hint))
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
  says: 'A request to another service: the body of the file is the body of the request. It reads what was passed as `data`.',
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
