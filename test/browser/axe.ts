/** Finds accessibility problems of a page with axe-core, with all of its rules. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { LONG, type SuiteBrowser } from './visitors.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A visitor. All pages that this visitor opens are checked. */
export interface Looking {
  readonly context: BrowserContext
  readonly page: Page
  /** Problems found so far. */
  readonly found: readonly string[]
  /** Opens a page and checks it. */
  open(path: string, status?: number): Promise<void>
  /** Checks the open page. The text names the page in findings. */
  look(what: string): Promise<void>
}

/** @param url URL of the server whose pages are opened by their paths */
export async function lookingAt(browser: SuiteBrowser, url: string): Promise<Looking> {
  const found: string[] = []
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  page.setDefaultTimeout(LONG.timeout)
  const look = async (what: string): Promise<void> => {
    for (const each of await violations(page)) found.push(`${what}: ${each}`)
  }
  const open = async (path: string, status = 200): Promise<void> => {
    const reply = await page.goto(url + path)
    expect(reply?.status(), path).toBe(status)
    await look(path)
  }
  return { context, page, found, look, open }
}

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Returns a line for each element of the open page that breaks a rule. @param within a selector of the checked part; null for the whole page */
export async function violations(page: Page, within: string | null = null): Promise<readonly string[]> {
  await page.evaluate(source)
  const found = await page.evaluate<readonly Violation[]>(
    `axe.run(${within === null ? 'document' : `{ include: ${JSON.stringify(within)} }`}, { resultTypes: ['violations'] }).then((result) => result.violations)`,
  )
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html} ${failureSummary.replace(/\s+/g, ' ')}`),
  )
}
