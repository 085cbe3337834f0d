/** Browser sessions of tests, one for each visitor. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { browserProgram } from './program.ts'

/** Options for polling on a busy machine. The interval is long because a check of a page costs as much as ten requests. */
export const LONG = { timeout: 60_000, interval: 250 } as const

const SIZE = { width: 1280, height: 720 } as const

/** A browser of one suite. */
export interface SuiteBrowser extends Pick<Browser, 'newContext' | 'newPage'> {
  /** Ends the sessions of the suite. */
  close(): Promise<void>
}

/** The Chromium of this process. It ends with the process, because its start takes as long as several tests. */
let chromiumOfProcess: Promise<Browser> | null = null

/** Returns the installed Chromium, which is started on first use. The suites of a process share it, but no session. */
export async function launchBrowser(): Promise<SuiteBrowser> {
  if (chromiumOfProcess !== null && !(await chromiumOfProcess).isConnected()) chromiumOfProcess = null
  chromiumOfProcess ??= startChromium()
  const browser = await chromiumOfProcess
  const contexts: BrowserContext[] = []
  const newContext: Browser['newContext'] = async (options) => {
    const context = await browser.newContext(options)
    contexts.push(context)
    return context
  }
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    async close() {
      for (const context of contexts) await context.close()
    },
  }
}

function startChromium(): Promise<Browser> {
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
  readonly #browser: SuiteBrowser
  readonly #free: { readonly context: BrowserContext; readonly page: Page }[] = []

  constructor(browser: SuiteBrowser) {
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
