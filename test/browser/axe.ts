/** What stands in the way of people who do not see a page, or do not use a mouse: told by axe-core, with all of its rules. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** A line for each element of the open page that breaks a rule. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(source)
  const found = await page.evaluate<readonly Violation[]>(
    "axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)",
  )
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html} ${failureSummary.replace(/\s+/g, ' ')}`),
  )
}
