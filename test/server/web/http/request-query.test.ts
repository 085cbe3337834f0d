/** Values from the query: `context.location.search`, which is a hash and prints as its text, and the language. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bodyText } from '../../../support/built-site.ts'
import { type ServedFiles, servedFiles } from '../../../support/served-files.ts'

const page = (body: string) => `---\nlayout: ''\n---\n${body}`

const FILES = {
  'app/views/pages/text.liquid': page(
    `{% assign s = context.location.search %}{{ s }}|{{ context.location.search }}|{{ s | append: '!' }}|{{ s | split: '&' | size }}|{% if s == 'a=1&b=%3Cx' %}same{% endif %}|{% if s contains 'b=' %}has{% endif %}|`,
  ),
  'app/views/pages/hash.txt.liquid': page(
    `{% assign s = context.location.search %}{{ s.size }}|{{ s.a }}|{{ s.b }}|{{ s | json }}|{{ s | querify }}|{% for pair in s %}{{ pair[0] }};{% endfor %}|{% if s %}true{% endif %}|{% if s == blank %}blank{% endif %}|{% if s == '' %}empty{% endif %}|{{ s | type_of }}|{{ s | start_with: 'a=' }}`,
  ),
  'app/translations/en.yml': 'en:\n  hi: Hi\n  only: English\n',
  'app/translations/jp.yml': 'jp:\n  hi: Hai\n',
  'app/views/pages/language.txt.liquid': page(
    `{{ context.language }} {{ context.session.language }} {{ context.session | json }} {{ 'hi' | t }} {{ 'only' | t }}`,
  ),
  'app/views/pages/changed.txt.liquid': page(
    `{% assign s = context.location.search %}{% assign gone = s | hash_delete_key: 'a' %}{{ gone }}|{{ s }}|{{ s | querify }}|{{ context.location.search }}|{{ context.params.a }}|{% assign more = s | hash_add_key: 'c', 3 %}{{ s }}|{% assign direct = context.location.search | hash_add_key: 'd', 4 %}{{ direct }}`,
  ),
}

let site: ServedFiles
beforeAll(async () => {
  site = await servedFiles(FILES)
})
afterAll(() => site?.close())

const asked = async (url: string) => bodyText(await site.get(url))

it('is the query as it was sent where text is taken, escaped where it is printed', async () => {
  expect(await asked('/text?a=1&b=%3Cx')).toBe('a=1&amp;b=%3Cx|a=1&amp;b=%3Cx|a=1&amp;b=%3Cx!|2|same|has|')
  expect(await asked("/text?'<b>")).toMatch(/^&#39;&lt;b&gt;\|/)
})

it('is a hash where one is read', async () => {
  expect(await asked('/hash.txt?a=1&b=%3Cx')).toBe('2|1|<x|{"a":"1","b":"\\u003cx"}|a=1&b=%3Cx|a;b;|true|||Hash|true')
})

it('is an empty hash without a query, and true', async () => {
  expect(await asked('/hash.txt')).toBe('0|||{}|||true|blank|empty|Hash|false')
})

it('is another one at each read: what is deleted from one stays in the request', async () => {
  expect(await asked('/changed.txt?a=1&b=2')).toBe('1|b=2|b=2|a=1&b=2|1|b=2&c=3|a=1&b=2&d=4')
})

it('the language of the request is that of the session, the default and an unknown one included', async () => {
  expect(await asked('/language.txt')).toBe('en en {} Hi English')
  expect(await asked('/language.txt?language=jp')).toBe('jp jp {"language":"jp"} Hai English')
  expect(await asked('/language.txt?language=js')).toBe('js js {"language":"js"} Hi English')
})
