/** Questions of newcomers: the search of the reference ranks the page that answers each among the first five. */
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, it } from 'vitest'
import { COOKBOOK } from '../../../../compiler/tools/docs/cookbook/index.ts'
import { indexPage } from '../../../../compiler/tools/docs/index-page.ts'
import { allEntries } from '../../../../compiler/tools/docs/reference.ts'
import { RANKING, SEARCH } from '../../../../compiler/tools/docs/scripts.ts'

/** Each row has the question, the typed search words, and the page that answers the question. */
const QUESTIONS: readonly (readonly [question: string, words: string, page: string])[] = [
  ['I am new here: where do I begin?', 'tutorial for beginners', 'tutorial/start.html'],
  ['How do I make a site step by step?', 'first site', 'tutorial/start.html'],
  ['How do I add a page with an address of its own?', 'add a page', 'guides/pages.html'],
  ['How do I share a header between pages?', 'header footer layout', 'guides/pages.html'],
  ['How do I store something in the database?', 'store data in database', 'guides/tables.html'],
  ['How do I connect two tables?', 'one to many relation', 'guides/tables.html'],
  ['How do I get rows by a condition?', 'query with filter', 'guides/graphql.html'],
  ['How do I split a long list into pages?', 'pagination', 'guides/graphql.html'],
  ['How do I keep two visitors from changing a row at once?', 'lock a row', 'guides/graphql.html'],
  ['How do I check what a visitor typed?', 'validate a form', 'guides/forms.html'],
  ['How do visitors log in?', 'how do users log in', 'guides/accounts.html'],
  ['How does somebody get a new password?', 'forgot password', 'guides/accounts.html'],
  ['How do I make the first administrator?', 'first admin user', 'guides/accounts.html'],
  ['How do visitors send a photo?', 'upload images', 'guides/files.html'],
  ['How do I make thumbnails?', 'resize image', 'guides/files.html'],
  ['How do I run something later?', 'background job', 'guides/jobs.html'],
  ['How do I send a mail?', 'send an email', 'guides/mails.html'],
  ['Why is my page slow, and how do I keep what it prints?', 'cache a slow page', 'guides/caching.html'],
  ['How do I offer the site in two languages?', 'translate into several languages', 'guides/translations.html'],
  ['How do programs read my data?', 'json api', 'guides/api.html'],
  ['How do I put the site on a server?', 'deploy to a server', 'guides/deploying.html'],
  ['In which zone are times?', 'time zone', 'guides/forms.html'],
  ['How do I read a time of a form?', 'timezone', 'guides/forms.html'],
  ['How does a page refuse a program?', '401', 'guides/api.html'],
  ['How do users change their name?', 'first_name', 'guides/accounts.html'],
  ['How do I remove the example table?', 'remove a table', 'guides/tables.html'],
  ['How do I drop a table?', 'drop table', 'guides/tables.html'],
  ['How does a test send a header?', 'headers in tests', 'guides/tests.html'],
  ['How do I write a check of my own?', 'custom check', 'guides/checks.html'],
  ['How do I hide a warning?', 'disable a check', 'guides/checks.html'],
  ['I know liquidjs: what is different?', 'migrate from liquidjs', 'guides/coming-from.html'],
  ['How do I keep an event from being overbooked?', 'book places with a limit', 'cookbook/places.html'],
  ['How do visitors wait for a place?', 'waiting list', 'cookbook/waiting-list.html'],
  ['How do I keep the filters of a list in its address?', 'search with filters and sort', 'cookbook/search.html'],
  ['How do I load more rows without repeating any?', 'infinite scroll', 'cookbook/keyset.html'],
  ['How do I search in texts?', 'full text search', 'cookbook/full-text.html'],
  ['How do I offer rows as a file for a spreadsheet?', 'export csv', 'cookbook/csv-export.html'],
  ['How do I read rows from a spreadsheet?', 'import csv', 'cookbook/csv-import.html'],
  ['How does one form create several rows?', 'nested form', 'cookbook/nested-forms.html'],
  ['How do I split a form into several pages?', 'multi-step form', 'cookbook/steps.html'],
  ['How do visitors comment on a page?', 'comments', 'cookbook/comments.html'],
  ['How do I keep spam away without a captcha?', 'honeypot', 'cookbook/honeypot.html'],
  ['How do I limit how often a form is sent?', 'rate limit', 'cookbook/rate-limit.html'],
  ['How do I put a title into the address?', 'pretty urls', 'cookbook/slugs.html'],
  ['How do I keep links to my old site?', 'redirect old urls', 'cookbook/redirects.html'],
  ['How do I give each language an address?', 'url for each language', 'cookbook/languages.html'],
  ['How do readers subscribe to my posts?', 'rss feed', 'cookbook/rss.html'],
  ['How do visitors subscribe to my events in their calendar?', 'calendar file', 'cookbook/calendar-file.html'],
  ['How do search engines find all pages?', 'sitemap', 'cookbook/sitemap.html'],
  ['How do my users get tokens for their programs?', 'api token for each user', 'cookbook/user-tokens.html'],
  ['How do I check that a webhook is genuine?', 'verify webhook signature', 'cookbook/webhooks.html'],
  ['How do I call an API that sometimes fails?', 'retry failed api call', 'cookbook/calls.html'],
  ['How do I run something every night?', 'run every night', 'cookbook/scheduled.html'],
  ['How do I bring back a deleted row?', 'restore deleted rows', 'cookbook/soft-delete.html'],
  ['How do I see who changed a row?', 'audit log who changed', 'cookbook/audit-log.html'],
  ['How do I show a new part to some users?', 'feature flags', 'cookbook/feature-flags.html'],
  ['How do only members get a file?', 'private file download members', 'cookbook/downloads.html'],
]

/** Single words and short searches of newcomers, and the page that must be among the first three. */
const SEARCHES: readonly (readonly [words: string, page: string])[] = [
  ['ics', 'cookbook/calendar-file.html'],
  ['icalendar', 'cookbook/calendar-file.html'],
  ['CRLF', 'guides/pages.html'],
  ['newline', 'guides/pages.html'],
  ['line break', 'guides/pages.html'],
  ['backslash', 'guides/pages.html'],
  ['403', 'guides/forms.html'],
  ['redirect or 403', 'guides/forms.html'],
  ['http_status', 'settings/authorization_policy.html'],
  ['return_to', 'guides/forms.html'],
  ['logged out', 'guides/forms.html'],
  ['csrf token', 'guides/forms.html'],
  ['&amp;amp;', 'guides/mails.html'],
  ['absolute url photo', 'guides/files.html'],
  ['resend confirmation', 'guides/accounts.html'],
  ['graphql tag inline arguments', 'tags/graphql.html'],
  ['test administrator', 'guides/tests.html'],
  ['test log in as', 'guides/tests.html'],
]

interface Item {
  readonly href: string
  readonly name: string
  readonly summary: string
  readonly words: string
}

describe('the search', () => {
  let items: readonly Item[]
  let rankItems: (items: readonly Omit<Item, 'href'>[], query: string) => readonly number[]
  let rank: (query: string) => readonly string[]

  beforeAll(async () => {
    const index = indexPage(await allEntries(), SEARCH)
    const cards = index.matchAll(
      /<li[^>]*?(?: data-words="([^"]*)")?><a href="([^"]+)"><b>([^<]*)<\/b><span>(.*?)<\/span><\/a><\/li>/g,
    )
    items = [...cards].map(([, words = '', href = '', name = '', summary = '']) => ({ href, name, summary, words }))
    // The script declares the function in this form.
    rankItems = runInNewContext(
      `${RANKING}; (items, query) => rankItems(items.map(prepareItem), query)`,
    ) as unknown as typeof rankItems
    rank = (query) => rankItems(items, query).map((at) => items[at]?.href.replace(/#.*/, '') ?? '')
  })

  it('knows the pages of the answers', () => {
    expect(items.length).toBeGreaterThan(500)
    const pages = new Set(items.map(({ href }) => href))
    expect(QUESTIONS).toHaveLength(31 + COOKBOOK.length)
    expect(QUESTIONS.map(([, , page]) => page).filter((page) => !pages.has(page))).toEqual([])
  })

  it.each(QUESTIONS)('answers "%s" (%s)', (_, words, page) => {
    expect(rank(words).slice(0, 5)).toContain(page)
  })

  it.each(SEARCHES)('finds "%s" at once', (words, page) => {
    expect(rank(words).slice(0, 3)).toContain(page)
  })

  it('ranks whole words before parts of words', () => {
    const items = ['statistics', 'ics in a summary', 'metrics'].map((name) => ({ name, summary: '', words: '' }))
    const both = [...items, { name: 'calendar', summary: 'an .ics file', words: '' }]
    expect(rankItems(both, 'ics').map((at) => both[at]?.name)).toEqual([
      ...['ics in a summary', 'calendar', 'statistics', 'metrics'],
    ])
  })

  it('ranks a name before what mentions it, and finds nothing for words that stand nowhere', () => {
    expect(rank('append')[0]).toBe('filters/append.html')
    expect(rank('hash_mer')[0]).toBe('filters/hash_merge.html')
    expect(rank('for')).toContain('tags/for.html')
    expect(rank('xylophone quark')).toEqual([])
  })
})
