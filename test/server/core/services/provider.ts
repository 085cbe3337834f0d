/** A challenge provider as a real server: a test sets its response, and the server records the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly path: string
  readonly form: Readonly<Record<string, string>>
}

export interface Provider {
  /** The base URL of the provider. */
  readonly url: string
  readonly asked: Asked[]
  /** Sets the response. */
  answer(reply: (response: ServerResponse, asked: Asked) => void): void
  close(): Promise<void>
}

export async function startProvider(): Promise<Provider> {
  let reply: (response: ServerResponse, asked: Asked) => void = (response) => response.end('{"success":true}')
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const one = { path: request.url ?? '', form: Object.fromEntries(new URLSearchParams(body)) }
      asked.push(one)
      reply(response, one)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    answer: (next) => {
      reply = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
