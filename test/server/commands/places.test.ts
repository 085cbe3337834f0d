/** Tests what servers print when they answer and when they have stopped. */
import picocolors from 'picocolors'
import { expect, test } from 'vitest'
import { formatPlaces } from '../../../server/commands/places.ts'
import { stoppedSentence } from '../../../server/commands/stopping.ts'

test('the places are a block with one line each, colored only on a terminal', () => {
  const places = [['Open', 'http://localhost:3000'] as const, ['Outbox', 'mails'] as const]
  const plain = '\n  Open    http://localhost:3000\n  Outbox  mails\n\n'
  expect(formatPlaces(places, picocolors.createColors(false))).toBe(plain)
  expect(formatPlaces(places, picocolors.createColors(true))).toContain('\u001b[')
})

test('at the end it names what was stopped', () => {
  expect(stoppedSentence(['the server', 'the jobs'], 'stopped')).toBe('stopped the server, the jobs and the database')
  expect(stoppedSentence(['the server'], 'stopped')).toBe('stopped the server and the database')
  expect(stoppedSentence(['the server'], 'external')).toBe('stopped the server')
  expect(stoppedSentence(['the jobs'], 'in use')).toBe('stopped the jobs; another command still uses the database')
})
