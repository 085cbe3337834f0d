/** The tutorial as a reader follows it: the real commands in an empty folder, and real pages in a browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHAPTERS } from '../../compiler/tools/docs/tutorial/index.ts'
import { type Product, product } from '../support/product.ts'
import { browserProgram } from './program.ts'
import { Member, newEvent } from './members.ts'
import { Reader } from './reader.ts'
import { launchBrowser, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''

describe.skipIf(program === null)(`the tutorial${reason}`, () => {
  let ingot: Product
  let browser: SuiteBrowser
  let reader: Reader
  let failed = false

  beforeAll(async () => {
    ingot = product()
    browser = await launchBrowser()
    reader = new Reader(ingot, browser)
  })
  afterAll(async () => {
    await browser?.close()
    await ingot?.clean()
  })

  for (const chapter of CHAPTERS) {
    // The last chapter serves the site as in production, which limits sign-ups.
    if (chapter === CHAPTERS.at(-1))
      test('20 members at once get the last 3 places and 17 positions on the waiting list', rush)
    for (const step of chapter.steps) {
      test(`${chapter.name}: ${step.title}`, async ({ skip }) => {
        // Each step continues the one before.
        skip(failed)
        failed = true
        await reader.follow(step)
        failed = false
      })
    }
  }

  async function rush({ skip }: { readonly skip: (condition: boolean) => void }): Promise<void> {
    skip(failed)
    const ada = await reader.page('Ada')
    const address = await newEvent(ada, reader.url, 4)
    await ada.getByRole('button', { name: 'Register', exact: true }).click()
    await ada.getByText('You have a place.').waitFor()
    const members = await Promise.all(Array.from({ length: 20 }, (_, at) => Member.signUp(reader.url, at)))
    try {
      const tokens = await Promise.all(members.map((member) => member.token(address)))
      const statuses = await Promise.all(
        members.map((member, at) => member.post(`${address}/register`, tokens[at] ?? '')),
      )
      expect(new Set(statuses)).toEqual(new Set([302]))
      const before = await Promise.all(members.map((member) => member.standing(address)))
      expect(before.filter((standing) => standing === 'place')).toHaveLength(3)
      const order = range(17).map((position) => before.indexOf(position))
      expect(order).not.toContain(-1)
      // A place that gets free goes to the first who waits, and the others move up, also when two cancel at once.
      const leaving = before.flatMap((standing, at) => (standing === 'place' ? [at] : [])).slice(0, 2)
      await Promise.all(leaving.map((at) => members[at]?.post(`${address}/cancel`, tokens[at] ?? '')))
      const after = await Promise.all(members.map((member) => member.standing(address)))
      expect(order.map((at) => after[at])).toEqual(['place', 'place', ...range(15)])
      await ada.goto(reader.url + address)
      expect(await ada.locator('body').innerText()).toContain('All places are taken')
    } finally {
      await Promise.all(members.map((member) => member.leave()))
    }
  }
})

/** The numbers from 1. */
function range(length: number): readonly number[] {
  return Array.from({ length }, (_, at) => at + 1)
}
