/** Tests open pages of a site in development in a browser: they follow what is saved, show errors, and open templates in the editor. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Product, product, type Server } from '../support/product.ts'
import { violations } from './axe.ts'
import { browserProgram } from './program.ts'
import { LONG, launchBrowser, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''

const RED =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="red"/></svg>'
const WIDE = RED.replace('width="40"', 'width="80"')

/** Returns a silent WAV file. */
function wave(seconds: number): Buffer {
  const rate = 8_000
  const bytes = Buffer.alloc(44 + rate * seconds, 128)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(36 + rate * seconds, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt32LE(rate, 28)
  bytes.writeUInt16LE(1, 32)
  bytes.writeUInt16LE(8, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(rate * seconds, 40)
  return bytes
}

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'app/assets/q.svg': RED,
  'app/assets/r.svg': RED,
  'app/assets/s.wav': wave(60),
  'app/views/pages/media.liquid': `<h1>Media</h1>
<picture>
  <source srcset="{{ 'q.svg' | asset_url }} 1x, {{ 'r.svg' | asset_url }} 9x" media="(min-width: 1px)">
  <img id="chosen" src="{{ 'p.svg' | asset_url }}" alt="">
</picture>
<div id="styled" style="background-image: url('{{ 'q.svg' | asset_url }}'); width: 40px; height: 40px"></div>
<audio loop><source src="{{ 's.wav' | asset_url }}"></audio>
<ol><li><input name="a"></li><li><input name="b"></li></ol>
<details><summary>More</summary>words</details>
`,
  'app/assets/a.css': '@import url("b.css");\nh1 { color: rgb(1, 2, 3) }\n',
  'app/assets/b.css': 'p { color: rgb(4, 5, 6) }\n.pic { background: url("p.svg"); width: 40px; height: 40px }\n',
  'app/assets/p.svg': RED,
  'app/assets/s.js': 'window.loaded = (window.loaded || 0) + 1\n',
  'app/assets/unused.js': 'window.unused = 1\n',
  'app/views/layouts/application.liquid': `<!doctype html>
<html lang="en">
<head>
  <title>{% yield 'title' %}</title>
  <meta name="description" content="one">
  <link rel="stylesheet" href="{{ 'a.css' | asset_url }}">
  <script src="{{ 's.js' | asset_url }}" defer></script>
</head>
<body>
  {% include 'nav' %}
  {{ content_for_layout }}
</body>
</html>
`,
  'app/views/partials/nav.liquid': '<nav class="top"><a href="/">Home</a> <a href="/about">About</a></nav>\n',
  'app/views/partials/card.liquid': '<li class="card">\n  <b title="{{ n }}">card {{ n }}</b>\n</li>\n',
  'app/views/pages/index.liquid': `{% content_for 'title' %}Start{% endcontent_for %}
<h1>First</h1>
<p id="text">paragraph</p>
<form method="post" action="/sent">
  <input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}">
  <label>Name <input id="name" name="name" value="default"></label>
  <label>Note <textarea id="note" name="note">old</textarea></label>
  <label>Yes <input type="checkbox" id="yes" name="yes"></label>
  <select id="choice" name="choice"><option>one</option><option>two</option></select>
  <button id="send">Send</button>
</form>
<details id="more"><summary>More</summary>hidden words</details>
<dialog id="box">A box</dialog>
<ul>{% for n in (1..3) %}{% render 'card', n: n %}{% endfor %}</ul>
<img id="picture" src="{{ 'p.svg' | asset_url }}" alt="">
<div class="pic"></div>
<div data-ingot-keep id="kept">served</div>
<x-clock>served</x-clock>
<div style="height: 3000px"></div>
`,
  'app/views/pages/about.liquid': '<h1>About us</h1>\n',
  'app/views/pages/cached.liquid': `---
slug: cached
static_cache: 600
---
{% cache 'k', expire: 600 %}{% render 'card', n: 9 %}{% endcache %}
`,
  'app/views/pages/data.json.liquid':
    '---\nslug: data\nformat: json\n---\n{ "card": {% capture c %}{% render "card", n: 1 %}{% endcapture %}{{ c | json }} }\n',
  'app/views/pages/sent.liquid': '---\nslug: sent\nmethod: post\n---\n<h1>Thank you</h1>\n',
  'app/views/pages/strict.liquid': `---
slug: strict
response_headers: >
  { "Content-Security-Policy": "default-src 'none'" }
---
<h1>Strict</h1>
`,
}

describe.skipIf(program === null)(`open pages of ingot dev${reason}`, () => {
  let ingot: Product
  let browser: SuiteBrowser
  let dev: Server
  let site: string
  let context: BrowserContext
  let page: Page
  let opened: string

  const write = (path: string, text: string | Uint8Array): void => {
    mkdirSync(join(site, path, '..'), { recursive: true })
    writeFileSync(join(site, path), text)
  }
  const change = (path: string, from: string, to: string): void => {
    const text = readFileSync(join(site, path), 'utf8')
    expect(text).toContain(from)
    write(path, text.replace(from, to))
  }
  const shown = (selector: string, text: string): Promise<void> =>
    page.locator(selector).filter({ hasText: text }).first().waitFor(LONG)

  /** Returns the arguments of the editor, once it has run. */
  const editorArguments = async (): Promise<readonly string[]> => {
    await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8').endsWith('\n'), LONG).toBe(true)
    const text = readFileSync(opened, 'utf8')
    rmSync(opened)
    return text.trim().split('\n')
  }

  beforeAll(async () => {
    ingot = product()
    site = ingot.folder(FILES)
    opened = join(site, '..', `${site.split('/').at(-1)}-opened`)
    const editor = join(
      ingot.folder({ 'my editor.sh': `#!/bin/sh\nprintf '%s\\n' "$@" > '${opened}'\n` }),
      'my editor.sh',
    )
    chmodSync(editor, 0o755)
    browser = await launchBrowser()
    dev = await ingot.serve(['dev', site], { env: { INGOT_EDITOR: `'${editor}' --wait` } })
    context = await browser.newContext({ viewport: { width: 800, height: 600 } })
    page = await context.newPage()
    page.setDefaultTimeout(LONG.timeout)
  })

  afterAll(async () => {
    await browser?.close()
    await ingot?.clean()
  })

  beforeEach(async () => {
    await page.goto(dev.url)
    await shown('h1', 'First')
    // A page that is loaded again loses this.
    await page.evaluate('window.mine = true')
  })

  const isSamePage = (): Promise<boolean> => page.evaluate(`'mine' in window`)

  test('a changed template patches the page: what was typed, chosen, opened and scrolled stays', async () => {
    await page.fill('#name', 'typed')
    await page.fill('#note', 'typed too')
    await page.check('#yes')
    await page.selectOption('#choice', 'two')
    await page.click('#more summary')
    await page.evaluate(`{
      const find = (selector) => document.querySelector(selector)
      find('#box').show()
      document.documentElement.classList.add('by-script')
      find('#kept').textContent = 'by script'
      find('x-clock').textContent = '12:00'
      find('#text').setAttribute('data-seen', 'yes')
      document.body.append(Object.assign(document.createElement('aside'), { id: 'toast', textContent: 'toast' }))
      scrollTo(0, 700)
      find('#name').focus({ preventScroll: true })
      find('#name').setSelectionRange(1, 3)
    }`)
    change('app/views/pages/index.liquid', '<h1>First</h1>', '<h1>Second <em>new</em></h1>')
    await shown('h1', 'Second')
    expect(await isSamePage()).toBe(true)
    const state = await page.evaluate(`{
      const find = (selector) => document.querySelector(selector)
      const name = document.activeElement
      ;({
        focus: name.id,
        selection: [name.selectionStart, name.selectionEnd],
        name: name.value,
        note: find('#note').value,
        yes: find('#yes').checked,
        choice: find('#choice').value,
        more: find('#more').open,
        box: find('#box').open,
        root: document.documentElement.className,
        kept: find('#kept').textContent,
        clock: find('x-clock').textContent,
        seen: find('#text').getAttribute('data-seen'),
        toast: find('#toast').textContent,
        scroll: scrollY,
      })
    }`)
    expect(state).toEqual({
      focus: 'name',
      selection: [1, 3],
      name: 'typed',
      note: 'typed too',
      yes: true,
      choice: 'two',
      more: true,
      box: true,
      root: 'by-script',
      kept: 'by script',
      clock: '12:00',
      seen: 'yes',
      toast: 'toast',
      scroll: 700,
    })
    // A field that was not touched shows its new value, and the head follows as well.
    await page.evaluate(`document.querySelector('form').reset()`)
    change('app/views/pages/index.liquid', 'value="default"', 'value="other"')
    change('app/views/pages/index.liquid', '%}Start{%', '%}Next{%')
    await expect.poll(() => page.title(), LONG).toBe('Next')
    await expect.poll(() => page.inputValue('#name'), LONG).toBe('other')
    // A burst of saves ends in the last state.
    for (let n = 0; n < 12; n++)
      change(
        'app/views/pages/index.liquid',
        /<em>.*<\/em>/.exec(readFileSync(join(site, 'app/views/pages/index.liquid'), 'utf8'))![0],
        `<em>burst ${n}</em>`,
      )
    await shown('em', 'burst 11')
    expect(await isSamePage()).toBe(true)
    change('app/views/pages/index.liquid', '<h1>Second <em>burst 11</em></h1>', '<h1>First</h1>')
    await shown('h1', 'First')
  })

  test('stylesheets, imported ones, and pictures are replaced in place', async () => {
    const color = (selector: string): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).color`)
    await page.fill('#name', 'typed')
    let requests: string[] = []
    page.on('request', (sent) => requests.push(new URL(sent.url()).pathname))
    change('app/assets/a.css', 'rgb(1, 2, 3)', 'rgb(10, 20, 30)')
    await expect.poll(() => color('h1'), LONG).toBe('rgb(10, 20, 30)')
    expect(await page.locator('link[rel=stylesheet]').count()).toBe(1)
    expect(requests).not.toContain('/')
    change('app/assets/b.css', 'rgb(4, 5, 6)', 'rgb(40, 50, 60)')
    await expect.poll(() => color('p'), LONG).toBe('rgb(40, 50, 60)')
    requests = []
    write('app/assets/p.svg', WIDE)
    await expect.poll(() => page.evaluate(`document.querySelector('#picture').naturalWidth`), LONG).toBe(80)
    // The picture in the stylesheet has the same new address.
    const background = (): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector('.pic')).backgroundImage`)
    await expect.poll(background, LONG).toMatch(/p\.svg\?updated=/)
    expect(requests).not.toContain('/')
    expect(await page.inputValue('#name')).toBe('typed')
    // A template that changes later keeps the new addresses.
    change('app/views/partials/card.liquid', 'card {{ n }}', 'Card {{ n }}')
    await shown('b', 'Card 1')
    expect(await color('h1')).toBe('rgb(10, 20, 30)')
    expect(await isSamePage()).toBe(true)
    change('app/views/partials/card.liquid', 'Card {{ n }}', 'card {{ n }}')
    await shown('b', 'card 1')
  })

  test('pictures with several sources and in styles are replaced in place, and what plays goes on', async () => {
    await page.goto(`${dev.url}/media`)
    const picture = (property: string): Promise<number> =>
      page.evaluate(`document.querySelector('#chosen').${property}`)
    await expect.poll(() => picture('naturalWidth'), LONG).toBe(40)
    await page.evaluate(`{
      window.mine = true
      const sound = document.querySelector('audio')
      sound.muted = true
      window.events = []
      for (const name of ['pause', 'emptied', 'seeking']) sound.addEventListener(name, () => window.events.push(name))
      ;(async () => { await sound.play() })()
    }`)
    const time = (): Promise<number> => page.evaluate(`document.querySelector('audio').currentTime`)
    await expect.poll(time, LONG).toBeGreaterThan(0)
    write('app/assets/q.svg', WIDE)
    await expect.poll(() => picture('naturalWidth'), LONG).toBe(80)
    const stamped = /q\.svg\?updated=[^"]+/
    const style = (): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector('#styled')).backgroundImage`)
    expect(await picture('currentSrc')).toBe(/http[^"]+/.exec(await style())?.[0])
    expect(await style()).toMatch(stamped)
    // A template adds an element before the one that plays, and the new addresses stay. Without ids, too, nothing is replaced.
    await page.fill('[name=b]', 'typed')
    await page.click('summary')
    change('app/views/pages/media.liquid', '<li><input name="b">', '<li>new</li><li><input name="b" class="b">')
    change('app/views/pages/media.liquid', '<audio', '<p>Before</p>\n<audio')
    await shown('p', 'Before')
    expect(await picture('naturalWidth')).toBe(80)
    expect(await page.evaluate(`[window.events, document.querySelector('audio').paused]`)).toEqual([[], false])
    expect(await page.inputValue('.b')).toBe('typed')
    expect(await page.evaluate(`document.querySelector('details').open`)).toBe(true)
    expect(await page.locator('ol').innerText()).toBe('new')
    expect(await isSamePage()).toBe(true)
    // A sound that changed itself is loaded again.
    write('app/assets/s.wav', wave(3))
    await expect.poll(() => page.evaluate(`document.querySelector('audio').duration`), LONG).toBe(3)
    change('app/views/pages/media.liquid', '<p>Before</p>\n', '')
  })

  test('the token of a form is the one of the session, also when a new session has begun', async () => {
    const token = (): Promise<string> => page.inputValue('[name=authenticity_token]')
    const first = await token()
    await page.fill('#name', 'typed')
    await context.clearCookies()
    change('app/views/pages/index.liquid', '<h1>First</h1>', '<h1>First again</h1>')
    await shown('h1', 'First again')
    expect(await token()).not.toBe(first)
    expect(await page.inputValue('#name')).toBe('typed')
    await page.click('#send')
    await shown('h1', 'Thank you')
    change('app/views/pages/index.liquid', '<h1>First again</h1>', '<h1>First</h1>')
  })

  test('a page that redirects now, or is gone, is left', async () => {
    write('app/views/pages/moved.liquid', '---\nslug: moved\n---\n<h1>Here</h1>\n')
    await page.goto(`${dev.url}/about`)
    await expect.poll(async () => (await fetch(`${dev.url}/moved`)).status, LONG).toBe(200)
    await page.goto(`${dev.url}/moved`)
    await shown('h1', 'Here')
    change('app/views/pages/moved.liquid', '<h1>Here</h1>', "{% redirect_to '/about' %}")
    await shown('h1', 'About us')
    expect(new URL(page.url()).pathname).toBe('/about')
    change('app/views/pages/moved.liquid', "{% redirect_to '/about' %}", '<h1>Here</h1>')
    await expect.poll(async () => (await fetch(`${dev.url}/moved`, { redirect: 'manual' })).status, LONG).toBe(200)
    await page.goto(`${dev.url}/moved`)
    await shown('h1', 'Here')
    rmSync(join(site, 'app/views/pages/moved.liquid'))
    await shown('h1', 'No page answers GET /moved')
    // The list of pages opens their files.
    await page.getByRole('button', { name: 'Open app/views/pages/about.liquid in the editor' }).click()
    expect((await editorArguments())[1]).toBe(`${site}/app/views/pages/about.liquid:1`)
    expect(await violations(page)).toEqual([])
    // A page with this address is shown when there is one again.
    write('app/views/pages/moved.liquid', '---\nslug: moved\n---\n<h1>Back</h1>\n')
    await shown('h1', 'Back')
    rmSync(join(site, 'app/views/pages/moved.liquid'))
  })

  test('a changed script loads the page again, but only where it runs', async () => {
    change('app/assets/unused.js', '= 1', '= 2')
    change('app/views/partials/nav.liquid', 'About', 'About us')
    await shown('nav', 'About us')
    expect(await isSamePage()).toBe(true)
    change('app/assets/s.js', '|| 0) + 1', '|| 0) + 10')
    await expect.poll(() => page.evaluate('window.loaded').catch(() => null), LONG).toBe(10)
    expect(await isSamePage()).toBe(false)
    await page.evaluate('window.mine = true')
    change('app/views/partials/nav.liquid', '</nav>', '</nav><script>window.inline = 1</script>')
    await expect.poll(() => page.evaluate(`'inline' in window`).catch(() => null), LONG).toBe(true)
    expect(await isSamePage()).toBe(false)
    change('app/views/partials/nav.liquid', '<script>window.inline = 1</script>', '')
    await expect.poll(() => page.evaluate(`'inline' in window`).catch(() => null), LONG).toBe(false)
  })

  test('the page of an error is loaded again once when the error is corrected', async () => {
    const text = readFileSync(join(site, 'app/views/pages/about.liquid'), 'utf8')
    write('app/views/pages/about.liquid', `${text}{{ 1 | divided_by: 0 }}`)
    await expect.poll(async () => (await fetch(`${dev.url}/about`)).status, LONG).toBe(500)
    await page.goto(`${dev.url}/about`)
    const requests: string[] = []
    const note = (request: { url(): string }): void => void requests.push(new URL(request.url()).pathname)
    page.on('request', note)
    write('app/views/pages/about.liquid', text)
    await shown('h1', 'About us')
    page.off('request', note)
    expect(requests.filter((path) => path === '/about')).toEqual(['/about'])
  })

  test('the answer to a form is not sent again: a note says that it is outdated', async () => {
    await page.click('#send')
    await shown('h1', 'Thank you')
    change('app/views/pages/sent.liquid', 'Thank you', 'Thanks')
    await shown('ingot-live .note', 'This page is outdated')
    expect(await page.locator('h1').innerText()).toBe('Thank you')
    change('app/views/pages/sent.liquid', 'Thanks', 'Thank you')
  })

  test('errors of a file that the page uses are shown on it, those of others as a note, until they are corrected', async () => {
    await page.fill('#name', 'typed')
    change('app/views/partials/card.liquid', 'card {{ n }}', 'card {{ n | upcas }}')
    await shown('ingot-live section', 'upcas')
    const overlay = page.locator('ingot-live section')
    await shown('ingot-live section', 'app/views/partials/card.liquid:2:')
    expect(await overlay.locator('mark').innerText()).toContain('upcas')
    expect(await overlay.innerText()).toContain('upcase')
    // The page below it keeps what it shows.
    expect(await page.locator('li').first().innerText()).toBe('card 1')
    // A click on the fix mends the file, and the page follows.
    expect(await violations(page, 'ingot-live')).toEqual([])
    await overlay.getByRole('button', { name: 'Write upcase' }).click()
    await overlay.waitFor({ state: 'detached' })
    expect(readFileSync(join(site, 'app/views/partials/card.liquid'), 'utf8')).toContain('card {{ n | upcase }}</b>')
    change('app/views/partials/card.liquid', '{{ n | upcase }}', '{{ n | upcase }}!')
    await shown('b', 'card 1!')
    expect(await page.inputValue('#name')).toBe('typed')
    change('app/views/pages/about.liquid', 'About us', "{{ 'x' | nofilter }}")
    const note = page.locator('ingot-live .note').filter({ hasText: 'other files' })
    await shown('ingot-live .note', '1 error in other files')
    expect(await overlay.count()).toBe(0)
    await note.getByRole('button', { name: '1 error' }).click()
    await shown('ingot-live .note', 'app/views/pages/about.liquid:1:')
    await note.getByRole('button', { name: 'Dismiss' }).click()
    expect(await note.count()).toBe(0)
    // The failing page shows its error itself, and becomes the page when it is corrected.
    await page.goto(`${dev.url}/about`)
    await shown('h1', 'nofilter')
    change('app/views/pages/about.liquid', "'x' | nofilter", "'About us' | capitalise")
    await shown('h1', 'capitalise')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Open app/views/pages/about.liquid in the editor' }).first().click()
    expect((await editorArguments())[1]).toBe(`${site}/app/views/pages/about.liquid:1`)
    await page.getByRole('button', { name: 'Write capitalize' }).click()
    await shown('h1', 'About us')
    change('app/views/pages/about.liquid', "{{ 'About us' | capitalize }}", 'About us')
    change('app/views/partials/card.liquid', '{{ n | upcase }}!', '{{ n }}')
    await page.goto(dev.url)
    await shown('b', 'card 1')
    // An error at run time leaves the page as it is.
    change('app/views/partials/nav.liquid', '</nav>', '</nav>{% include context.params.none %}')
    await shown('ingot-live section', "can't find partial")
    // What the error page shows is over the page: the code, the templates around it, and buttons that open them.
    expect(await overlay.locator('pre mark').first().innerText()).toContain('include context.params.none')
    await overlay.getByText('app/views/layouts/application.liquid').first().click()
    await overlay.getByRole('button', { name: 'Open app/views/partials/nav.liquid in the editor' }).click()
    expect((await editorArguments())[1]).toBe(`${site}/app/views/partials/nav.liquid:1`)
    await page.keyboard.press('Escape')
    await overlay.waitFor({ state: 'detached' })
    expect(await page.locator('h1').innerText()).toBe('First')
    change('app/views/partials/nav.liquid', '{% include context.params.none %}', '')
  })

  test('Alt+click opens the template that printed the element, and no mark is in any other answer', async () => {
    const alt = { modifiers: ['Alt'] as 'Alt'[] }
    await page.locator('li b').nth(1).click(alt)
    expect(await editorArguments()).toEqual(['--wait', `${site}/app/views/partials/card.liquid:2`])
    await page.locator('h1').click(alt)
    expect(await editorArguments()).toEqual(['--wait', `${site}/app/views/pages/index.liquid:2`])
    await page.locator('nav a').nth(1).click(alt)
    expect(await editorArguments()).toEqual(['--wait', `${site}/app/views/partials/nav.liquid:1`])
    expect(new URL(page.url()).pathname).toBe('/')
    await page.locator('body').click({ ...alt, position: { x: 400, y: 590 } })
    expect((await editorArguments())[1]).toMatch(/index\.liquid:\d+$|application\.liquid:\d+$/)

    // The page and its fragment come from caches afterwards, and these have no marks.
    const first = await (await fetch(`${dev.url}/cached`)).text()
    await page.goto(`${dev.url}/cached`)
    await page.locator('li b').click(alt)
    expect(await editorArguments()).toEqual(['--wait', `${site}/app/views/partials/card.liquid:2`])
    const token = (await page.locator('script[data-token]').getAttribute('data-token')) ?? ''
    const headers = { 'sec-fetch-site': 'same-origin', 'x-ingot-marks': token }
    const marked = await fetch(`${dev.url}/cached`, { headers })
    expect(marked.headers.get('cache-control')).toBe('no-store')
    expect(await marked.text()).toContain('<!--ingot-begin app/views/partials/card.liquid--><!--ingot-line 1--><li')
    const again = await (await fetch(`${dev.url}/cached`)).text()
    const withoutScript = (text: string): string => text.replace(/<script.*/s, '')
    expect(withoutScript(again)).toBe(withoutScript(first))
    expect(await (await fetch(`${dev.url}/data.json`, { headers })).text()).not.toContain('ingot-')
    for (const text of [first, again]) expect(text).not.toContain('ingot-begin')
    expect((await fetch(`${dev.url}/cached`, { headers: { 'x-ingot-marks': token } })).status).toBe(401)
  })

  test('only pages of this site on this machine open files, and only files of the site', async () => {
    const token = (await page.locator('script[data-token]').getAttribute('data-token')) ?? ''
    const port = new URL(dev.url).port
    const send = (body: object, headers: Record<string, string> = {}, method = 'POST'): Promise<number> =>
      new Promise((done, fail) => {
        const own = { host: `127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin', 'x-ingot-token': token }
        const asked = request({
          port,
          host: '127.0.0.1',
          path: '/_ingot/open',
          method,
          headers: { ...own, ...headers },
        })
        asked.once('response', (response) => done(response.resume().statusCode ?? 0)).once('error', fail)
        asked.end(method === 'POST' ? JSON.stringify(body) : undefined)
      })
    const file = 'app/views/pages/index.liquid'
    expect(await send({ file, line: 7 })).toBe(200)
    expect(await editorArguments()).toEqual(['--wait', `${site}/${file}:7`])
    expect(await send({ file }, { 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await send({ file }, { 'sec-fetch-site': '', origin: 'https://evil.example' })).toBe(403)
    expect(await send({ file }, { host: 'evil.example' })).toBe(400)
    expect(await send({ file }, { host: '192.168.178.20' })).toBe(403)
    expect(await send({ file }, { 'x-forwarded-for': '203.0.113.9' })).toBe(403)
    expect(await send({ file }, { 'x-ingot-token': '' })).toBe(401)
    expect(await send({ file }, { 'x-ingot-token': token.replace(/dev-\d+/, 'dev-1000') })).toBe(401)
    expect(await send({ file }, { 'x-ingot-token': token.replace(/dev-\d+/, `dev-${Date.now() + 1e9}`) })).toBe(401)
    expect(await send({ file }, {}, 'GET')).toBe(404)
    symlinkSync('/etc/hostname', join(site, 'app/views/link.liquid'))
    symlinkSync(join(site, '.ingot'), join(site, 'app/views/out'))
    const outside = [
      '/etc/hostname',
      '../x',
      'app/../../x',
      'app/views/link.liquid',
      'app/views/out/.gitignore',
      'app',
      'app/none',
    ]
    for (const other of [...outside, '.ingot/.gitignore', 'app/\0', 'app\\x', '-x', 'file:///etc/hostname'])
      expect(await send({ file: other }), other).toBe(404)
    for (const body of [{}, { file: 1 }, { file, line: 0 }, { file, line: '1; x' }, []])
      expect(await send(body)).toBe(400)
    expect(existsSync(opened)).toBe(false)
    rmSync(join(site, 'app/views/link.liquid'))
    rmSync(join(site, 'app/views/out'))
  })

  test('a page that refuses scripts is served as it is', async () => {
    const answer = await page.goto(`${dev.url}/strict`)
    expect(answer?.headers()['content-security-policy']).toBe("default-src 'none'")
    expect(await page.locator('ingot-live').count()).toBe(0)
    const { status, headers } = await fetch(
      `${dev.url}${(await page.locator('script[data-page]').getAttribute('src')) ?? ''}`,
    )
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  })

  test('a page in the background follows when it is shown again', async () => {
    const hide = (isHidden: boolean): Promise<void> =>
      page.evaluate(`{
        Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} })
        document.dispatchEvent(new Event('visibilitychange'))
      }`)
    await hide(true)
    const other = await context.newPage()
    await other.goto(dev.url)
    change('app/views/pages/index.liquid', '<h1>First</h1>', '<h1>Shown later</h1>')
    await other.locator('h1').filter({ hasText: 'Shown later' }).waitFor(LONG)
    await other.close()
    expect(await page.locator('h1').innerText()).toBe('First')
    await hide(false)
    await shown('h1', 'Shown later')
    expect(await isSamePage()).toBe(true)
    change('app/views/pages/index.liquid', '<h1>Shown later</h1>', '<h1>First</h1>')
    await shown('h1', 'First')
  })

  test('a page connects again after the server has started again', async () => {
    await page.fill('#name', 'typed')
    const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
    const worker = processes
      .map((line) => line.trim().split(/\s+/))
      .find(
        ([, parent, ...args]) => Number(parent) === dev.child.pid && args.some((arg) => arg.endsWith('/worker.mjs')),
      )
    process.kill(Number(worker?.[0]), 'SIGKILL')
    change('app/views/pages/index.liquid', '<h1>First</h1>', '<h1>After a restart</h1>')
    await shown('h1', 'After a restart')
    expect(await isSamePage()).toBe(true)
    expect(await page.inputValue('#name')).toBe('typed')
    change('app/views/pages/index.liquid', '<h1>After a restart</h1>', '<h1>First</h1>')
    await shown('h1', 'First')
  })
})
