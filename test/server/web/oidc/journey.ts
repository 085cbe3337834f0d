/** A person's browser that goes to a provider and comes back, and servers of a test. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Sent, ServedForms } from '../rest/support.ts'

export async function listenOn(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
}

export type SiteBrowser = ReturnType<ServedForms['browser']>

/** The headers of a browser that follows a link of the same site. */
export const OWN = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }
/** The headers of a browser that another site has redirected here. */
export const CROSS = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }

export const locationOf = (sent: Sent): string => sent.headers.get('location') ?? ''

/** Goes through the provider with a fresh browser profile there. Returns the address, or the form, with which it sends the visitor back. */
export async function visitProvider(
  address: string,
  jar = new Map<string, string>(),
): Promise<
  { readonly address: string } | { readonly form: Readonly<Record<string, string>>; readonly action: string }
> {
  let url = new URL(address)
  const { origin } = url
  for (let step = 0; step < 10; step++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const text = await answer.text()
    const location = answer.headers.get('location')
    if (location === null) {
      const inputs = [...text.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ])
      const action = /action="([^"]+)"/.exec(text)?.[1]
      if (action === undefined) throw new Error(`the provider answered ${answer.status}: ${text.slice(0, 500)}`)
      return { form: Object.fromEntries(inputs) as Record<string, string>, action }
    }
    url = new URL(location, url)
    if (url.origin !== origin) return { address: url.href }
  }
  throw new Error('the provider redirects without end')
}

/** Signs in: from the site to the provider, and back to the site. Returns the site's last answer. */
export async function signIn(browser: SiteBrowser, path: string, headers: Record<string, string> = OWN): Promise<Sent> {
  const start = await browser.get(path, headers)
  const back = await visitProvider(locationOf(start))
  if (!('address' in back)) throw new Error('the provider sent a form')
  const { pathname, search } = new URL(back.address)
  return browser.get(pathname + search, CROSS)
}
