/** A visitor of the studio of a served site, as a browser sends its requests. */
import { request as send } from 'node:http'

export interface StudioReply {
  readonly status: number
  readonly location: string | null
  readonly text: string
}

export interface StudioClient {
  /** Requests a page of the studio by its path below `/_ingot`. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<StudioReply>
  /** Sends a form with the token of the studio's pages. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<StudioReply>
}

const TOKEN = /name="authenticity_token" value="([^"]+)"/

/** @param url URL of the server @param withToken whether forms have the token */
export function studioClient(url: string, withToken = true): StudioClient {
  let cookie = ''

  function exchange(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<StudioReply> {
    return new Promise((done, fail) => {
      const sent = send(`${url}/_ingot${path}`, { method, headers: { cookie, ...headers } }, (reply) => {
        const parts: Buffer[] = []
        for (const line of reply.headers['set-cookie'] ?? []) {
          const [pair = ''] = line.split(';')
          const [name = ''] = pair.split('=')
          cookie = [...cookie.split('; ').filter((old) => old !== '' && !old.startsWith(`${name}=`)), pair].join('; ')
        }
        reply.on('data', (part: Buffer) => parts.push(part))
        reply.on('error', fail)
        reply.on('end', () =>
          done({
            status: reply.statusCode ?? 0,
            location: reply.headers.location ?? null,
            text: Buffer.concat(parts).toString(),
          }),
        )
      })
      sent.on('error', fail)
      sent.end(body)
    })
  }

  return {
    get: (path, headers = {}) => exchange('GET', path, headers, ''),
    async post(path, fields, headers = {}) {
      const { text } = await exchange('GET', '/constants', {}, '')
      const token = TOKEN.exec(text)?.[1] ?? ''
      const all = withToken ? { authenticity_token: token, ...fields } : fields
      return exchange(
        'POST',
        path,
        { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
        new URLSearchParams(all).toString(),
      )
    },
  }
}
