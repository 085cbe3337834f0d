/** Browser sessions of tests, one for each visitor. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { browserProgram } from './program.ts'

/** What is waited for on a machine on which much else runs. A look at a page costs as much as ten requests, so they are rare. */
export const LONG = { timeout: 60_000, interval: 250 } as const

const SIZE = { width: 1280, height: 720 } as const

/** Starts the machine's Chromium. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserProgram() ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-quic',
    ],
  })
}

export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** Goes, and takes along what the browser knows of them. */
  leave(): Promise<void>
}

/**
 * The visitors of a browser that runs no scripts. Whoever comes takes the window of somebody who has left, without their cookies: a new
 * window is two processes, and costs more than the pages that most visitors look at.
 */
export class Visitors {
  readonly #browser: Browser
  readonly #free: { readonly context: BrowserContext; readonly page: Page }[] = []

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** @param headers what they send with each request beside a browser's own */
  async come(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Visitor> {
    const window = this.#free.pop() ?? (await this.#opened())
    const { context, page } = window
    await context.setExtraHTTPHeaders(headers)
    await page.goto(url)
    return {
      ...window,
      leave: async () => {
        await page.goto('about:blank')
        await context.clearCookies()
        await page.setViewportSize(SIZE)
        this.#free.push(window)
      },
    }
  }

  async #opened(): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
    const context = await this.#browser.newContext({ locale: 'en-GB', javaScriptEnabled: false, viewport: SIZE })
    const page = await context.newPage()
    page.setDefaultTimeout(LONG.timeout)
    return { context, page }
  }
}
