/** Members of the club of the tutorial who use its pages at once, without a browser window for each. */
import { type APIRequestContext, type Page, request } from 'playwright-core'
import { expect } from 'vitest'

const PASSWORD = 'a long password'
const DAY = 86_400_000

/** Adds an event as an administrator. @returns the path of its page */
export async function newEvent(admin: Page, url: string, places: number): Promise<string> {
  await admin.goto(`${url}/events/new`)
  await admin.getByLabel('Title', { exact: true }).fill('Night tour')
  await admin
    .getByLabel('Starts at', { exact: true })
    .fill(`${new Date(Date.now() + 30 * DAY).toISOString().slice(0, 10)}T21:00`)
  await admin.getByLabel('Places', { exact: true }).fill(String(places))
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await admin.getByRole('heading', { name: 'Night tour' }).waitFor()
  return new URL(admin.url()).pathname
}

export class Member {
  readonly #client: APIRequestContext

  private constructor(client: APIRequestContext) {
    this.#client = client
  }

  static async signUp(url: string, number: number): Promise<Member> {
    const client = await request.newContext({ baseURL: url, extraHTTPHeaders: { 'accept-language': 'en' } })
    const form = /<form[^>]*sign-up-form[^]*?<\/form>/.exec(await (await client.get('/sign-up')).text())?.[0] ?? ''
    const [, action = ''] = /action="([^"]+)"/.exec(form) ?? []
    const hidden = [...form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
      attribute(input, 'name'),
      attribute(input, 'value'),
    ])
    const own = {
      'form[email]': `member${number}@club.example`,
      'form[password]': PASSWORD,
      'form[password_confirmation]': PASSWORD,
    }
    const reply = await client.post(action, { form: { ...Object.fromEntries(hidden), ...own } })
    expect(new URL(reply.url()).pathname).toBe('/account')
    return new Member(client)
  }

  /** The token of the form on the page of an event. */
  async token(address: string): Promise<string> {
    const [, token = ''] =
      /class="join"[^]*?name="authenticity_token" value="([^"]+)"/.exec(await this.#page(address)) ?? []
    return token
  }

  /** @returns the HTTP status */
  async post(address: string, token: string): Promise<number> {
    const reply = await this.#client.post(address, { form: { authenticity_token: token }, maxRedirects: 0 })
    return reply.status()
  }

  /** What the page of an event says: a place, the position on the waiting list, or null. */
  async standing(address: string): Promise<'place' | number | null> {
    const text = await this.#page(address)
    if (text.includes('You have a place.')) return 'place'
    const position = /You are number (\d+) on the waiting list/.exec(text)?.[1]
    return position === undefined ? null : Number(position)
  }

  leave(): Promise<void> {
    return this.#client.dispose()
  }

  async #page(address: string): Promise<string> {
    return (await this.#client.get(address)).text()
  }
}

function attribute(tag: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
}
