/** A site with channels, and a client of its WebSockets, for tests. */
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { builtFolder } from '../../../support/server/built-folder.ts'

const FILES = {
  'app/views/pages/index.liquid': `---
layout: ''
---
{{ context.authenticity_token }}`,
  'app/views/pages/in.liquid': `---
slug: in
layout: ''
---
{% sign_in user_id: context.params.id %}in`,
  'app/views/pages/out.liquid': `---
slug: out
layout: ''
---
{% graphql done = 'out' %}out`,
  'app/graphql/out.graphql': 'mutation out { user_session_destroy }\n',
  'app/views/pages/say.liquid': `---
slug: say
layout: ''
---
{% graphql said = 'say', room: context.params.room, text: context.params.text %}{{ said.channel_send_message }}`,
  'app/views/pages/twice.liquid': `---
slug: twice
layout: ''
---
{% transaction %}{% graphql said = 'say', room: 'a', text: 'undone' %}{% rollback %}{% endtransaction %}
{% transaction %}{% graphql said = 'say', room: 'a', text: 'same' %}{% graphql more = 'say', room: 'a', text: 'same' %}{% endtransaction %}`,
  'app/graphql/say.graphql': `mutation say($room: String!, $text: String!) {
  channel_send_message(channel_name: "chat", room_id: $room, payload: { text: $text, from: "server" })
}
`,
  'app/views/partials/channels/chat/subscribed.liquid': `{%- assign joined = context.params.room_id | append: ' by ' | append: context.current_user.email -%}
{%- export joined, namespace: 'chat' -%}
{%- if context.params.room_id == 'secret' -%}false{%- else -%}
  true
{%- endif -%}`,
  'app/views/partials/channels/chat/receive.liquid': `{%- if context.params.text == 'no' -%} false {%- endif -%}
{%- if context.params.text == 'fail' -%}{{ 1 | divided_by: context.params.zero }}{%- endif -%}
{%- if context.params.text == 'in' -%}{% sign_in user_id: '1' %}{%- endif -%}
{%- if context.params.text == 'what' -%}{%- log context.params, type: 'what' -%}{%- endif -%}`,
  'app/views/partials/channels/chat/unsubscribed.liquid': `{%- log context.exports.chat.joined, type: 'left' -%}`,
  'app/views/partials/channels/broken/subscribed.liquid': `{{ 1 | divided_by: context.params.zero }}true`,
  'app/views/partials/channels/slow/subscribed.liquid': `{%- for i in (1..100000000) -%}{%- assign x = i | times: 2 -%}{%- endfor -%}true`,
  'modules/talk/public/views/partials/channels/talk/room/subscribed.liquid': `true`,
}

/** Builds the site. @param config text of `app/config.yml`; null for none. @returns its folder */
export function channelSite(config: string | null = null): Promise<string> {
  return builtFolder({ ...FILES, ...(config !== null && { 'app/config.yml': config }) })
}

/** A browser: its cookies, and the CSRF token of the page that it shows. */
export interface Browser {
  readonly cookie: string
  readonly token: string
}

/** Opens the site's page in a browser. @param path a path to open before, such as one that signs in */
export async function browse(port: number, path: string | null = null, cookie = ''): Promise<Browser> {
  const response = await fetch(`http://127.0.0.1:${port}${path ?? '/'}`, { headers: { cookie, connection: 'close' } })
  const sent = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  const known = new Map(
    [...cookie.split('; '), ...sent].filter((each) => each !== '').map((each) => [each.split('=')[0], each]),
  )
  const text = await response.text()
  const cookies = [...known.values()].join('; ')
  return path === null ? { cookie: cookies, token: text.trim() } : browse(port, null, cookies)
}

export type Frame = Readonly<Record<string, unknown>>

/** A connection to the site. */
export class Client {
  /** All frames except pings, in order. */
  readonly frames: Frame[] = []
  /** Number of pings. */
  pings = 0
  /** The code with which the connection was closed; null while it is open. */
  closed: number | null = null
  /** The status of an HTTP answer instead of a WebSocket. */
  status: number | null = null
  readonly socket: WebSocket

  constructor(port: number, { cookie, token }: Browser, headers: Readonly<Record<string, string>> = {}) {
    const url = `ws://127.0.0.1:${port}/websocket?authenticity_token=${token}`
    this.socket = new WebSocket(url, ['actioncable-v1-json', 'actioncable-unsupported'], {
      headers: { cookie, origin: `http://127.0.0.1:${port}`, ...headers },
    })
    this.socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as Frame
      if (frame['type'] === 'ping') this.pings++
      else this.frames.push(frame)
    })
    this.socket.on('close', (code) => {
      this.closed = code
    })
    this.socket.on('error', () => undefined)
    this.socket.on('unexpected-response', (_, response) => {
      this.status = response.statusCode ?? 0
      this.closed = 0
    })
  }

  /** Waits until a condition holds. */
  async until(what: string, isTrue: () => boolean): Promise<void> {
    const end = performance.now() + 20_000
    while (!isTrue() && performance.now() < end) await sleep(10)
    if (!isTrue()) throw new Error(`${what}: never. Frames: ${JSON.stringify(this.frames).slice(0, 2_000)}`)
  }

  command(command: string, identifier: string, data?: object): void {
    this.socket.send(JSON.stringify({ command, identifier, ...(data !== undefined && { data: JSON.stringify(data) }) }))
  }

  /** Subscribes, and waits for the verdict. Returns true when the subscription was confirmed. */
  async subscribe(identifier: string): Promise<boolean> {
    await this.until('welcome', () => this.frames.some(({ type }) => type === 'welcome'))
    this.command('subscribe', identifier)
    const verdict = (): Frame | undefined =>
      this.frames.find((frame) => frame['identifier'] === identifier && frame['type'] !== undefined)
    await this.until(`the verdict on ${identifier}`, () => verdict() !== undefined || this.closed !== null)
    return verdict()?.['type'] === 'confirm_subscription'
  }

  /** Returns the messages so far. */
  messages(): readonly unknown[] {
    return this.frames.flatMap(({ message }) => (message === undefined ? [] : [message]))
  }

  close(): void {
    this.socket.close()
  }
}

/** Returns the identifier of a room of the channel `chat`. */
export function room(id: unknown): string {
  return JSON.stringify({ channel: 'chat', room_id: id })
}
