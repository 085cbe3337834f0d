/** Literal arguments of filters that accept only a fixed list of values. */
import { expect, it } from 'vitest'
import { problems } from '../../../support/compiler/check.ts'

it.each([
  ["'x' | digest: 'sha3'", 15],
  ["'x' | digest: 'md5', 'binary'", 22],
  ["'x' | compute_hmac: 'key', 'sha0'", 28],
  ["'x' | compute_hmac: 'key', 'sha1', 'hexa'", 36],
  ["'2026-01-31' | date_add: 1, 'fortnight'", 29],
  ["'now' | add_to_time: 1, 'fortnight'", 25],
  ["'now' | strftime: '%H', 'Europe/Warszawa'", 25],
  ["'now' | to_time: 'Mars'", 18],
  ["100 | pricify: 'ZZZ'", 16],
  ["100 | amount_to_fractional: 'ZZZ'", 29],
  ["'x' | force_encoding: 'UTF-9'", 23],
  ["'x' | encode: 'UTF-8', 'latin-99'", 24],
  ["'x' | scrub: 'UTF-9'", 14],
])('{{ %s }}', (text, column) => {
  expect(problems(`{{ ${text} }}`)).toEqual([`filter-argument-type 1:${column + 3}`])
})

it.each([
  "'x' | digest: 'SHA-256', 'base64'",
  "'x' | compute_hmac: 'key', context.params.how",
  "'x' | compute_hmac: 'key', 'sha512', 'none'",
  "'2026-01-31' | date_add: 1, 'mo'",
  "'now' | strftime: '%H', 'Eastern Time (US & Canada)'",
  "'now' | strftime: '%H', ''",
  "'now' | strftime: '%H', '+2'",
  "'now' | to_time: 'UTC'",
  "100 | pricify: 'pln'",
  "'x' | force_encoding: 'latin1'",
])('{{ %s }} is taken', (text) => {
  expect(problems(`{{ ${text} }}`)).toEqual([])
})
