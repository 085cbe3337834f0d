/** The log of the process: how it shows the values that templates log. */
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { Moment } from '../../../../runtime/page/values/moment.ts'
import { NO_ORIGIN } from '../../../../server/core/contracts/log.ts'
import { createLogger, processLog } from '../../../../server/core/services/log.ts'

function lines(message: unknown): string {
  let said = ''
  const logger = createLogger('info', true, { write: (line: string) => (said += line) !== '' })
  processLog(logger, 'development').write(
    { message, type: 'x', env: 'all', file: 'a.liquid', line: 3, at: 0 } as never,
    NO_ORIGIN,
  )
  return said.trim()
}

const TIME = new Moment('time', 1_700_000_000, 142_000_000, 0, 'UTC')

test('times inside hashes and lists show as they print in JSON', () => {
  expect(lines({ id: '3', at: [TIME], none: null })).toContain(
    '{"id":"3","at":["2023-11-14T22:13:20.142Z"],"none":null}',
  )
})

test('a time shows as it prints', () => {
  expect(lines(TIME)).toContain('"2023-11-14 22:13:20 UTC"')
})

test('a value that contains itself is no reason to fail', () => {
  const hash: Record<string, unknown> = {}
  hash['self'] = hash
  expect(lines(hash)).toContain('a value that cannot be shown')
})

test('in development, a slow page has its method, and a slow query its name', () => {
  let said = ''
  const logger = createLogger('info', true, { write: (line: string) => (said += line) !== '' })
  logger.warn({ method: 'POST', path: '/notes', status: 200, ms: 63, stack: 'a' }, 'slow page')
  logger.warn({ query: 'notes/list', ms: 57, stack: 'b' }, 'slow query')
  logger.info({ method: 'GET', path: '/', status: 403, ms: 2, reason: 'the policy refused' }, 'request')
  const texts = stripVTControlCharacters(said).split('\n')
  expect(texts[0]).toMatch(/ slow page POST \/notes 200 63 ms$/)
  expect(texts[2]).toMatch(/ slow query notes\/list 57 ms$/)
  expect(texts[4]).toMatch(/ GET \/ 403 2 ms the policy refused$/)
})
