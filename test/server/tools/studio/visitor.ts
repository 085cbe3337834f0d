/** A browser for tests of the studio: it keeps cookies, sends paths unchanged, and reads the tokens of forms. */
import { request as send } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export class Visitor {
  readonly #cookies = new Map<string, string>()

  constructor(readonly origin: string) {}

  /** The value of the header `cookie`. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Requests a path exactly as written. */
  ask(path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> {
    const { hostname, port } = new URL(this.origin)
    const { cookie } = this
    const sent = {
      ...(cookie !== '' && { cookie }),
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    }
    return new Promise((resolve, reject) => {
      const outgoing = send({ hostname, port, path, method, headers: { ...sent, ...headers } }, (incoming) => {
        const parts: Buffer[] = []
        incoming.on('data', (part: Buffer) => parts.push(part))
        incoming.on('end', () => {
          for (const each of incoming.headers['set-cookie'] ?? []) this.#keep(each)
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(parts).toString(),
          })
        })
        incoming.on('error', reject)
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  /** Sends a form like a page of the same origin. */
  post(path: string, fields: Readonly<Record<string, string>>, headers: Asked['headers'] = {}): Promise<Answer> {
    const body = new URLSearchParams(fields).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded', origin: this.origin }
    return this.ask(path, { method: 'POST', body, headers: { ...type, ...headers } })
  }

  /** Sends a form with a file like a page of the same origin. */
  upload(
    path: string,
    fields: Readonly<Record<string, string>>,
    file: { readonly name: string; readonly text: string | Uint8Array },
    headers: Asked['headers'] = {},
  ): Promise<Answer> {
    const boundary = 'ingot-test-boundary'
    const named = Object.entries(fields).map(
      ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${file.name.replaceAll('"', '%22')}"\r\n\r\n`
    const body = Buffer.concat([
      Buffer.from(named.join('') + head),
      Buffer.from(file.text),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ])
    const type = { 'content-type': `multipart/form-data; boundary=${boundary}`, origin: this.origin }
    return this.ask(path, { method: 'POST', body, headers: { ...type, ...headers } })
  }

  /** Returns the token of the forms of a page. */
  async token(path: string): Promise<string> {
    const { text } = await this.ask(path)
    const token = /name="authenticity_token" value="([^"]+)"/.exec(text)?.[1]
    if (token === undefined) throw new Error(`${path} has no form:\n${text}`)
    return token
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (/max-age=0(?:;|$)/i.test(cookie)) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}
