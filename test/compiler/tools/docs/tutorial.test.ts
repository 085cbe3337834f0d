/** The tutorial: after each step the site has no problem, and its pages show what the steps use. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { CHAPTERS } from '../../../../compiler/tools/docs/tutorial/index.ts'
import { prepare } from '../../../../server/web/notifications/prepare.ts'
import { renderOf } from '../../../server/web/notifications/ground.ts'
import { liquidSite } from '../../../support/server/liquid-site.ts'
import { command, SiteFolder } from '../../../support/command.ts'
import { changeFile, doPart } from '../../../support/tutorial.ts'

/** Commands that the compiler runs alone. The others belong to the test in a browser. */
const OWN = ['init', 'generate', 'check']

const home = new SiteFolder()
const site = join(home.root, 'calendar')

afterAll(() => home.remove())

/** The only sentence that a generator adds: pages for administrators have no test. */
const UNTESTED = /^[^\n]*because it needs a user whom the policy is_admin allows to write\.\n$/

async function ingot(args: readonly string[]): Promise<void> {
  const [name = ''] = args
  if (!OWN.includes(name)) return
  const where = name === 'init' ? [name, site] : name === 'generate' ? [...args, '--dir', site] : [...args, site]
  const { code, err } = await command(...where)
  expect({ code, err }).toEqual({ code: 0, err: args.includes('is_admin') ? expect.stringMatching(UNTESTED) : '' })
}

async function findings(): Promise<string> {
  const { out } = await command('check', site)
  return out
}

describe.each(CHAPTERS.map((chapter) => [chapter.name, chapter] as const))('%s', (_, chapter) => {
  for (const step of chapter.steps) {
    it(step.title, async () => {
      mkdirSync(site, { recursive: true })
      for (const part of step.parts) {
        await doPart(site, part, ingot)
        if (part.kind !== 'mistake') continue
        changeFile(site, part.path, part.from, part.to)
        expect(await findings()).toContain(part.prints)
        changeFile(site, part.path, part.to, part.from)
      }
      if (step !== CHAPTERS[0]?.steps[0]) expect(await findings()).toMatch(/^No problems/)
    })
  }
})

test.each([
  ['place', 'You have a place: A & <B>'],
  ['reminder', 'This week: A & <B>'],
])('the mail about %s escapes the title of an event once', async (text, subject) => {
  const files = ['app/emails/registration.liquid', 'app/lib/accounts/origin.liquid']
  const locales = ['calendar', 'events', 'registrations'].map((name) => `app/translations/${name}.en.yml`)
  const built = await liquidSite(
    Object.fromEntries([...files, ...locales].map((path) => [path, readFileSync(join(site, path), 'utf8')])),
  )
  try {
    const entry = built.loaded.site.emails['registration']
    if (entry === undefined) throw new Error('there is no mail of this name')
    // A job stores its data as JSON.
    const data = JSON.parse(JSON.stringify({ to: 'a@a.example', text, title: 'A & <B>', event: '1' }))
    const mail = await prepare(
      entry,
      { kind: 'data', data },
      (format) => renderOf(built.loaded.site, format === 'html' ? format : 'txt'),
      () => undefined,
    )
    const { r, scope } = (await mail?.render('html')) ?? {}
    expect(await mail?.text(entry.subject)).toBe(subject)
    expect(r === undefined ? null : await entry.render?.(r, scope ?? {})).toContain('A &amp; &lt;B&gt;</h1>')
  } finally {
    built.close()
  }
})
