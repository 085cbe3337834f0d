/** The WebSocket of the visitor in a file of requests: a real one, to a listener that only this test uses. */
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { MessageBus } from '../../web/channels/bus.ts'
import { Channels } from '../../web/channels/channels.ts'
import { PROTOCOL } from '../../web/channels/protocol.ts'
import { readRequest } from '../../web/http/read-request.ts'
import { SOCKET_PATH } from '../../web/http/upgrade.ts'
import type { SiteHost } from '../../web/site/host.ts'

type Frame = Readonly<Record<string, unknown>>

/** Milliseconds to wait for an answer of the site. */
const PATIENCE = 10_000
/** An identifier that every site refuses. Its refusal means that all earlier commands are handled. */
const LAST = '{"channel":""}'

export class TestSocket {
  readonly #channels: Channels
  readonly #server: Server
  readonly #socket: WebSocket
  readonly #frames: Frame[] = []
  #subscription: string | null = null

  private constructor(channels: Channels, server: Server, socket: WebSocket) {
    this.#channels = channels
    this.#server = server
    this.#socket = socket
    socket.on('message', (data) => {
      // The frames come from this server.
      const frame: Frame = JSON.parse(String(data))
      if (frame['type'] !== 'ping') this.#frames.push(frame)
    })
    socket.on('error', () => undefined)
  }

  /**
   * Connects as a visitor.
   * @param cookie the visitor's cookies
   * @param token the CSRF token of the visitor's session
   * @returns the reason when the site refuses the connection
   */
  static async open(
    site: () => SiteHost,
    bus: MessageBus,
    cookie: string,
    token: string,
  ): Promise<TestSocket | { readonly refusal: string }> {
    const channels = new Channels({ sql: null, bus, site, isOwnHost: () => true, bearer: () => null })
    const server = createServer()
    server.on('upgrade', (message, socket, head) => {
      void channels.admit(readRequest(message, 0)).then((admitted) => {
        if ('open' in admitted) admitted.open(message, socket, head)
        else socket.destroy()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const url = `ws://127.0.0.1:${port}${SOCKET_PATH}?authenticity_token=${encodeURIComponent(token)}`
    const opened = new TestSocket(channels, server, new WebSocket(url, PROTOCOL, { headers: { cookie } }))
    const first = await opened.#next(({ type }) => type === 'welcome' || type === 'disconnect')
    if (first?.['type'] === 'welcome') return opened
    await opened.close()
    return { refusal: String(first?.['reason'] ?? 'no answer') }
  }

  /** Subscribes. Returns the code of a refusal; null when the site admits the visitor. */
  async subscribe(fields: Readonly<Record<string, unknown>>): Promise<string | null> {
    const identifier = JSON.stringify(fields)
    this.#send({ command: 'subscribe', identifier })
    const ofThis = (frame: Frame): boolean => frame['identifier'] === identifier
    const verdict = await this.#next((frame) => ofThis(frame) && frame['type'] !== undefined)
    if (verdict?.['type'] === 'confirm_subscription') {
      this.#subscription = identifier
      return null
    }
    const explained = await this.#next(ofThis)
    return codeOf(explained?.['message']) ?? 'no answer'
  }

  /** Sends a message to the latest subscription, and waits until the site has handled it. */
  async message(fields: Readonly<Record<string, unknown>>): Promise<void> {
    this.#send({ command: 'message', identifier: this.#subscription, data: JSON.stringify(fields) })
    await this.#settle()
  }

  /** Ends the latest subscription, and waits until the site has handled it. */
  async unsubscribe(): Promise<void> {
    this.#send({ command: 'unsubscribe', identifier: this.#subscription })
    await this.#settle()
  }

  /** Returns the next message to the visitor; undefined when there is none. */
  async received(): Promise<unknown> {
    await this.#settle()
    const at = this.#frames.findIndex((frame) => frame['message'] !== undefined)
    return at < 0 ? undefined : this.#frames.splice(at, 1)[0]?.['message']
  }

  async close(): Promise<void> {
    await this.#channels.stop(PATIENCE)
    this.#socket.terminate()
    this.#server.close()
  }

  async #settle(): Promise<void> {
    this.#send({ command: 'subscribe', identifier: LAST })
    await this.#next((frame) => frame['identifier'] === LAST && frame['message'] !== undefined)
    await this.#next((frame) => frame['identifier'] === LAST)
  }

  #send(command: object): void {
    this.#socket.send(JSON.stringify(command))
  }

  /** Waits for a frame, and takes it. Returns undefined when the time is up or the connection has ended. */
  async #next(matches: (frame: Frame) => boolean): Promise<Frame | undefined> {
    const end = performance.now() + PATIENCE
    for (;;) {
      const at = this.#frames.findIndex(matches)
      if (at >= 0) return this.#frames.splice(at, 1)[0]
      if (performance.now() > end || this.#socket.readyState >= WebSocket.CLOSING) return undefined
      await sleep(1)
    }
  }
}

function codeOf(message: unknown): string | null {
  if (typeof message !== 'object' || message === null || !('code' in message)) return null
  return typeof message.code === 'string' ? message.code : null
}
