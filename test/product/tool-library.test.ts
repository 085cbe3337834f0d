/**
 * Tests a complete site from 2019: bare names of `context`, partials that share their callers' variables and end their pages, parts of
 * layouts, search paths with constants, and a module with overrides and template values. It is served by the product over HTTP, with its
 * migrations run.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundle } from '../../compiler/phases/bundle/bundle.ts'
import { compile } from '../../compiler/compile.ts'
import { discover } from '../../compiler/core/source/discover.ts'
import { sites } from '../support/built-site.ts'
import { type Program, type Programs, programs } from '../support/server/program.ts'

const root = mkdtempSync(join(tmpdir(), 'ingot-tool-library-'))
let ingot: Programs
let server: Program
let address: string

beforeAll(async () => {
  cpSync(join(sites, 'tool-library'), root, { recursive: true })
  const { files } = await discover(root)
  const options = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false } as const
  const { modules, operations, diagnostics } = compile(files, options)
  expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([])
  await bundle({ modules, files, operations, out: join(root, '.ingot') })
  ingot = await programs()
  server = ingot.start(['serve', root], { INGOT_JOB_THREADS: '1', INGOT_DATA: join(root, 'data') })
  address = `http://127.0.0.1:${await server.port()}`
})

afterAll(async () => {
  await ingot.clean()
  rmSync(root, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  readonly text: string
  readonly location: string | null
}

/** A visitor who keeps cookies. */
class Visitor {
  readonly #cookies = new Map<string, string>()

  async ask(path: string, form?: Readonly<Record<string, string>>): Promise<Answer> {
    const reply = await fetch(address + path, {
      redirect: 'manual',
      headers: {
        connection: 'close',
        accept: 'text/html',
        cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; '),
      },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      this.#cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return { status: reply.status, text: await reply.text(), location: reply.headers.get('location') }
  }

  /** Fills in and sends the form with this class on a page. */
  async send(path: string, name: string, fields: Readonly<Record<string, string>>): Promise<Answer> {
    const { text } = await this.ask(path)
    const [, head = '', body = ''] =
      new RegExp(`<form([^>]*class="simple_form ${name}"[^>]*)>(.*?)</form>`, 's').exec(text) ?? []
    const hidden = [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const given = hidden.map(([, key = '', value = '']) => [key, value] as const)
    return this.ask(/action="([^"]+)"/.exec(head)?.[1] ?? '', { ...Object.fromEntries(given), ...fields })
  }
}

const someone = new Visitor()
const words = (text: string) =>
  text
    .replace(/<(title|style|path)\b.*?(<\/\1>|\/>)/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
const main = ({ text }: Answer) => words(/<main>(.*?)<\/main>/s.exec(text)?.[1] ?? '')

describe('a visitor', () => {
  test('finds the layout made of its parts, in which bare names read the request', async () => {
    const { status, text } = await someone.ask('/tools')
    expect(status).toBe(200)
    expect(text).toContain('<html lang="en">')
    expect(text).toContain('<title>Tools</title>')
    expect(text).toMatch(/<link rel="canonical" href="https:\/\/127\.0\.0\.1[^"]*\/tools">/)
    expect(text).toContain('color: #223')
    expect(text).toContain('<svg class="mark" width="24"')
    expect(text).toContain('<a href="/tools" class="here">Tools</a>')
    expect(text).toContain('<a href="/branches">Branches</a>')
    expect(text).toContain('<body class="visitor">')
  })

  test('sees an override of a private file with an underscore in the place of the public one', async () => {
    expect((await someone.ask('/')).text).toContain('<footer>Since 2019. Kept by neighbours since long ago.</footer>')
  })

  test('gets partials from the place that a constant names, and others from the next', async () => {
    const home = await someone.ask('/')
    expect(home.text).toContain('Spring cleaning: two more days for every garden tool.')
    expect(home.text).not.toContain('class="plain"')
    expect(home.text.match(/<li class="card">/g)).toHaveLength(3)
    expect(home.text).toContain('<title>power</title>')
    expect((await someone.ask('/tools/none')).text).toContain('Everything is out in the sun.')
  })

  test('leafs through what an included query wrote into the page', async () => {
    const first = await someone.ask('/tools')
    expect(first.text.match(/<li class="card">/g)).toHaveLength(6)
    expect(first.text).toContain('<b>1</b> <a href="/tools?page=2">2</a>')
    expect((await someone.ask('/tools?page=2')).text.match(/<li class="card">/g)).toHaveLength(2)
    const power = await someone.ask('/tools/power')
    expect(main(power)).toMatch(/^Tools: power garden \(7\) hand \(14\) kitchen \(3\) power \(4\)/)
    expect(power.text).toContain('<a href="/tools/power" class="here">power (4)</a>')
    expect(power.text.match(/<li class="card">/g)).toHaveLength(3)
  })

  test('reads of a tool by the parts of its address, and is stopped where there is none', async () => {
    const press = await someone.ask('/tools/show/fruit-press')
    expect(press.status).toBe(200)
    expect(main(press)).toBe(
      'Fruit press Twelve litres of apples at a time. cloth tray Old Chapel, 11 Hill Street (Wed Fri) Join us to borrow it.',
    )
    const shears = await someone.ask('/tools/show/hedge-shears')
    expect(shears.text).not.toContain('class="parts"')
    expect(shears.text).toContain('class="place"')
    for (const path of ['/tools/show/hammer', '/tools/show']) {
      const { status, text } = await someone.ask(path)
      expect([path, status, main({ status, text, location: null })]).toEqual([path, 404, 'There is no such tool.'])
      expect(text).toContain('<footer>')
    }
  })

  test('asks a branch who keeps it', async () => {
    expect(main(await someone.ask('/branches'))).toBe('Branches Canal Yard Old Chapel')
    expect(main(await someone.ask('/branches/canal-yard'))).toBe(
      'Canal Yard 4 Towpath Tuesday: Ines Saturday: Bram 2 of seven days. Behind the roster.',
    )
    expect((await someone.ask('/branches/nowhere')).status).toBe(404)
  })

  test('meets the values of the module in its page, and its override behind a private function', async () => {
    const desk = await someone.ask('/desk/old-chapel')
    expect(desk.text).toContain('<title>Front desk</title>')
    expect(main(desk)).toBe('Front desk 1.4.0 Mind the step &amp; the cat Friday: Odile 1 of seven days.')
    expect(main(await someone.ask('/desk'))).toContain('Ring the bell at any door.')
    expect(main(await someone.ask('/desk/attic'))).toContain('Ring the bell at attic.')
  })

  test('gets help by computed names of every spelling', async () => {
    expect(main(await someone.ask('/help/borrowing'))).toMatch(/^Borrowing .* You are reading \/help\/borrowing\./)
    expect(main(await someone.ask('/help/deposits'))).toMatch(
      /^Deposits .* Borrowing .* You are reading \/help\/deposits\./,
    )
    expect(main(await someone.ask('/help/repairs'))).toMatch(/^Repairs /)
    expect((await someone.ask('/help/toString')).status).toBe(404)
  })

  test('may ask for JSON that a partial of another ending prints', async () => {
    expect(JSON.parse((await someone.ask('/api/tools.json?kind=kitchen')).text)).toEqual({
      total: 2,
      tools: [
        { slug: 'fruit-press', title: 'Fruit press' },
        { slug: 'jam-pan', title: 'Jam pan' },
      ],
    })
  })

  test('finds partials listed by the names that they are called by', async () => {
    const named = async (ends: string) =>
      JSON.parse((await someone.ask(`/api/partials.json?ends=${ends}`)).text) as unknown
    expect(await named('.svg')).toEqual([
      ...['garden', 'hand', 'kitchen', 'power'].map((kind) => `svg/kinds/${kind}.svg`),
      'svg/mark.svg',
    ])
    expect(await named('_head')).toEqual(['layouts/library/_head'])
    expect(await named('signature')).toEqual([
      'modules/desk/_signature',
      'modules/desk/signature',
      'modules/desk/signature',
    ])
  })

  test('is sent away from what only members see', async () => {
    expect(await someone.ask('/my/loans')).toMatchObject({ status: 302, location: expect.stringMatching(/\/enter$/) })
    expect(await someone.ask('/members')).toMatchObject({
      status: 302,
      location: expect.stringContaining('/enter?return_to='),
    })
    expect((await someone.ask('/nothing/at/all')).status).toBe(404)
  })
})

describe('a member', () => {
  const member = new Visitor()

  test('joins by a form that shares its fields with partials', async () => {
    expect((await member.ask('/enter?from=a+friend')).text).toContain('<p class="from">a friend</p>')
    const wrong = await member.send('/enter', 'join', {
      'form[first_name]': '',
      'form[email]': 'uma@plank.example',
      'form[password]': 'pail-and-plank',
    })
    expect(wrong.text).toContain('value="uma@plank.example"')
    const right = await member.send('/enter', 'join', {
      'form[first_name]': 'Uma',
      'form[email]': 'uma@plank.example',
      'form[password]': 'pail-and-plank',
      'form[properties_attributes][borough]': 'North',
    })
    expect(right).toMatchObject({ status: 302, location: expect.stringMatching(/\/my\/loans$/) })
    const home = await member.ask('/')
    expect(home.text).toContain('<body class="member">')
    expect(home.text).toContain('<p class="hello">Hello Uma</p>')
    expect(main(await member.ask('/members'))).toBe('Members of Uma')
    expect(await member.ask('/enter')).toMatchObject({ status: 302 })
  })

  test('borrows a tool, which nobody else then can, and brings it back', async () => {
    const answer = await member.send('/tools/show/jam-pan', 'borrow', {
      'form[properties_attributes][days]': '3',
      'form[properties_attributes][note]': 'plums',
    })
    expect(answer).toMatchObject({ status: 302 })
    const mine = await member.ask('/my/loans')
    expect(mine.text).toContain('<p class="notice">It is yours for now.</p>')
    expect(main(mine)).toBe('Uma Jam pan: 3 days (plums) Bring back 5')
    expect(main(await someone.ask('/tools/show/jam-pan'))).toContain('Somebody has it.')
    const [, path = ''] = /action="(\/loans\/return\/\d+)"/.exec(mine.text) ?? []
    const [, token = ''] = /name="authenticity_token" value="([^"]+)"/.exec(mine.text) ?? []
    expect((await member.ask('/loans/return/1', { authenticity_token: token })).status).toBe(404)
    expect(await member.ask(path, { authenticity_token: token })).toMatchObject({ status: 302 })
    expect(main(await member.ask('/my/loans'))).toBe('Uma 0')
    expect(main(await someone.ask('/tools/show/jam-pan'))).not.toContain('Somebody has it.')
  })
})
