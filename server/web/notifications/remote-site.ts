/** Asks pages of other sites for records and users: `remote_records` and `remote_users`. */
import * as z from 'zod'
import type { RemoteAnswer, RemoteRequest } from '../../../runtime/data/query/effects.ts'
import { type QueryError, valueError } from '../../../runtime/data/query/model.ts'
import type { Fields } from '../../../runtime/page/services.ts'
import { type Outgoing, OutgoingFailure, type OutgoingRequest } from '../../core/net/outgoing.ts'
import { nestsDeeperThan } from '../http/params.ts'
import { origin } from './api-call.ts'

/** Maximum size of all answers to a request together in bytes, and maximum depth of their lists and objects. */
const MAX_BYTES = 10_000_000
const MAX_DEPTH = 100
/**
 * Maximum length of a URL. Ids are sent in the URL, because a page answers GET unless its settings say otherwise, and because proxies and caches
 * may drop the body of a GET. nginx refuses request lines over 8 KB by default, and Ingot heads over 16 KB. 400 ids of eight digits fit; more
 * ids are sent in further requests.
 */
const MAX_URL = 8_000
/** Maximum number of requests for one list of ids. */
const MAX_REQUESTS = 10

const fields = z.custom<Fields>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
const answer = z.union([
  z.array(fields).transform((objects): RemoteAnswer => ({ objects, counters: null })),
  z
    .looseObject({ results: z.array(fields) })
    .transform(({ results: objects, ...counters }): RemoteAnswer => ({ objects, counters })),
])

/**
 * Asks another site. Ids are sent with GET as the parameter `ids[]`, and a search with POST as JSON, because filters and sorts have no exact form
 * in a URL. Redirects are not followed, so that the token reaches no other server.
 * @param timeout milliseconds for all requests together
 * @throws QueryError
 */
export async function askSite(outgoing: Outgoing, request: RemoteRequest, timeout: number): Promise<RemoteAnswer> {
  const { url, token, wanted } = request
  const deadline = performance.now() + timeout
  const headers = {
    accept: 'application/json',
    ...(token !== null && token !== '' && { 'authentication-token': token }),
  }
  let limit = MAX_BYTES
  const send = async (sent: Omit<OutgoingRequest, 'timeout' | 'limit'>): Promise<RemoteAnswer> => {
    const timeLeft = Math.ceil(deadline - performance.now())
    const { parsed, size } = await readAnswer(outgoing, { ...sent, timeout: timeLeft, limit }, url)
    limit -= size
    return parsed
  }
  if ('search' in wanted) {
    const body = JSON.stringify(wanted.search)
    return send({ url, method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body })
  }
  const objects: Fields[] = []
  for (const each of urlsWithIds(url, wanted.ids)) {
    const { objects: found } = await send({ url: each, headers })
    for (const object of found) objects.push(object)
  }
  return { objects, counters: null }
}

/**
 * Adds ids to the query of a URL: as many as fit, and the others to further URLs.
 * @throws QueryError for more ids than `MAX_REQUESTS` URLs can contain
 */
function urlsWithIds(url: string, ids: readonly string[]): readonly string[] {
  const [address = ''] = url.trim().split('#', 1)
  const start = `${address}${address.includes('?') ? (/[?&]$/.test(address) ? '' : '&') : '?'}`
  const urls: string[] = []
  let last = ''
  for (const id of ids) {
    const parameter = `ids%5B%5D=${encodeURIComponent(id.toWellFormed())}`
    if (last !== '' && last.length + 1 + parameter.length > MAX_URL) {
      urls.push(last)
      last = ''
    }
    last = last === '' ? `${start}${parameter}` : `${last}&${parameter}`
  }
  urls.push(last)
  if (urls.length > MAX_REQUESTS)
    throw failure(
      url,
      `was not asked, because ${ids.length} ids need ${urls.length} requests. At most ${MAX_REQUESTS} are sent: request smaller pages`,
    )
  return urls
}

/**
 * Returns an answer and its size in bytes.
 * @param url the address without ids, for messages
 * @throws QueryError
 */
async function readAnswer(
  outgoing: Outgoing,
  request: OutgoingRequest,
  url: string,
): Promise<{ readonly parsed: RemoteAnswer; readonly size: number }> {
  let status: number
  let bytes: Buffer
  try {
    const response = await outgoing.send(request)
    ;({ status } = response)
    bytes = response.body
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    const hint = error.reason === 'closed' ? '. Allow hosts of the private network in INGOT_OUTGOING' : ''
    throw failure(url, `could not be asked: ${error.message}${hint}`)
  }
  if (status >= 300 && status < 400)
    throw failure(url, `answered with a redirect (status ${status}). Check the token, and give the final address`)
  if (status < 200 || status >= 300) throw failure(url, `answered with status ${status}`)
  const text = bytes.toString()
  if (nestsDeeperThan(text, MAX_DEPTH)) throw failure(url, `answered with JSON nested deeper than ${MAX_DEPTH} levels`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw failure(url, 'answered with something that is not JSON')
  }
  const parsed = answer.safeParse(json)
  if (!parsed.success)
    throw failure(url, 'answered with JSON that is neither a list of objects nor an object with `results`')
  return { parsed: parsed.data, size: bytes.length }
}

function failure(url: string, reason: string): QueryError {
  return valueError(`The site ${origin(url)} ${reason}.`)
}
