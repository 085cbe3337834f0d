/** Converts arguments of mutations that send something to types of the host, and results of the host to payloads. */
import type { ApiCall, ApiCallResult, ScheduledNotification, TemplatedContent } from './effects.ts'
import { valueError } from './model.ts'
import { isObject, parseJsonText } from '../values/json-data.ts'

type Arguments = Readonly<Record<string, unknown>>

/**
 * Returns the template in the argument `template` with its data, or the content in another argument, whose name is `contentArgument`.
 * @throws QueryError when neither or both are given
 */
export function readTemplatedContent<T>(
  args: Arguments,
  contentArgument: string,
  readContent: (givenValues: Arguments) => T,
): TemplatedContent<T> {
  const { template, [contentArgument]: content } = args
  if (isObject(template)) {
    if (isObject(content)) throw valueError(`Pass either \`template\` or \`${contentArgument}\`, not both.`)
    return { template: String(template['name']), data: dataOf(args['data']), delay: null }
  }
  if (!isObject(content)) throw valueError(`Pass \`template\` with the name of a template, or \`${contentArgument}\`.`)
  return { content: readContent(content), delay: delayOf(content['delay']) }
}

function dataOf(value: unknown): Arguments {
  if (value === null || value === undefined) return {}
  if (!isObject(value)) throw valueError('`data` must be an object.')
  return value
}

function delayOf(value: unknown): number | null {
  return typeof value === 'number' ? Math.max(0, value) : null
}

/** Returns the texts in a list. A single value counts as a list of one, and a missing list as empty. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : value === null || value === undefined ? [] : [String(value)]
}

/** Returns the payload of a queued notification. */
export function scheduledPayload({ scheduled, errors }: ScheduledNotification): Arguments {
  return { is_scheduled_to_send: scheduled, errors: errors.map((message) => ({ message })) }
}

/** Returns the payload of an API call. */
export function callPayload({ response, errors }: ApiCallResult): Arguments {
  return { response, errors: errors.map((message) => ({ message })) }
}

/**
 * Returns the API call in an argument.
 * @throws QueryError when the headers are not an object
 */
export function readApiCall(callArguments: Arguments): ApiCall {
  return {
    url: String(callArguments['url']),
    method: String(callArguments['method']).trim().toUpperCase(),
    headers: headersOf(callArguments['headers']),
    body: callArguments['body'] === null || callArguments['body'] === undefined ? '' : String(callArguments['body']),
  }
}

/** Reads headers from an object or its JSON text, which templates may pass. */
function headersOf(value: unknown): Readonly<Record<string, string>> {
  if (value === null || value === undefined || (typeof value === 'string' && value.trim() === '')) return {}
  const object = typeof value === 'string' ? parseJsonText(value) : value
  if (object === '') return {}
  if (!isObject(object)) throw valueError('`headers` must be an object of names and texts.')
  const headers = Object.entries(object)
    .filter(([, one]) => one !== null && one !== undefined)
    .map(([name, one]): [string, string] => [name, typeof one === 'object' ? JSON.stringify(one) : String(one)])
  return Object.fromEntries(headers)
}
