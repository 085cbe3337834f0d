/** Browser sessions of tests, one for each visitor. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { browserProgram } from './program.ts'

/** Options for polling on a busy machine. The interval is long because a check of a page costs as much as ten requests. */
export const LONG = { timeout: 60_000, interval: 250 } as const

const SIZE = { width: 1280, height: 720 } as const

/** Starts the installed Chromium. */
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
  /** Ends the session, and deletes its cookies. */
  leave(): Promise<void>
}

/**
 * Visitors of a browser that runs no scripts. A new visitor reuses the window of a previous one, without its cookies, because a new
 * window starts two processes.
 */
export class Visitors {
  readonly #browser: Browser
  readonly #free: { readonly context: BrowserContext; readonly page: Page }[] = []

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** @param headers headers that are sent with each request, in addition to the browser's */
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
