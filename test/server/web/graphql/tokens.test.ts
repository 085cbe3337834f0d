/** API tokens in a real database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { StartError } from '../../../../server/core/start-error.ts'
import { createToken, createTokenCheck, listTokens, revokeToken } from '../../../../server/data/store/tokens.ts'
import { readSettings } from '../../../../server/core/settings.ts'
import { readTokenLine, runTokenLine, tokenCommand } from '../../../../server/commands/token.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(() => database.sql`delete from ingot.api_tokens`)

describe('a token', () => {
  test('is kept as a digest only, and is told apart from all others', async () => {
    const { sql } = database
    const made = await createToken(sql, 'Übersicht \u{1f511}', 'write')
    expect(made.token).toMatch(/^ingot_[\da-f]{64}$/)
    const [row] = await sql`select t::text as row from ingot.api_tokens t`
    expect(row?.['row']).not.toContain(made.token.slice(6))
    const check = createTokenCheck(sql, null)
    expect(await check.bearer(made.token)).toEqual({
      id: made.id,
      name: 'Übersicht \u{1f511}',
      scope: 'write',
      user: null,
    })
    const near = made.token.slice(0, -1) + (made.token.endsWith('0') ? '1' : '0')
    for (const wrong of [
      near,
      made.token.toUpperCase(),
      '',
      'ingot_',
      ' ',
      `${made.token} `,
      'x'.repeat(100_000),
      `' or 1=1 --`,
      '\0',
    ])
      expect(await check.bearer(wrong)).toBe(null)
  })

  test('ends at once when it is revoked', async () => {
    const { sql } = database
    const check = createTokenCheck(sql, null)
    const made = await createToken(sql, 'one', 'read')
    expect(await check.bearer(made.token)).not.toBe(null)
    expect(await revokeToken(sql, made.id)).toMatchObject({ id: made.id, name: 'one' })
    expect(await check.bearer(made.token)).toBe(null)
    expect(await revokeToken(sql, made.id)).toBe(null)
    for (const wrong of ['0', '-1', '1 or true', '9'.repeat(18), '9'.repeat(40), ''])
      expect(await revokeToken(sql, wrong)).toBe(null)
  })

  test('of the environment has every right, and is not asked of the database', async () => {
    const { sql } = database
    const check = createTokenCheck(sql, 'a-token-of-the-environment')
    expect(await check.bearer('a-token-of-the-environment')).toMatchObject({ id: null, scope: 'admin' })
    expect(await check.bearer('a-token-of-the-environmen')).toBe(null)
  })

  test('notes its last use at most once a minute', async () => {
    const { sql } = database
    let now = 1_000_000
    const check = createTokenCheck(sql, null, () => now)
    const made = await createToken(sql, 'one', 'read')
    const noted = async (): Promise<Date | null> => {
      await sleep(100)
      return (await listTokens(sql))[0]?.lastUsedAt ?? null
    }
    expect(await noted()).toBe(null)
    await check.bearer(made.token)
    const first = await noted()
    expect(first).toBeInstanceOf(Date)
    await sql`update ingot.api_tokens set last_used_at = now() - interval '1 hour'`
    const marked = await noted()
    for (let i = 0; i < 5; i++) await check.bearer(made.token)
    expect(await noted()).toEqual(marked)
    now += 60_001
    await check.bearer(made.token)
    expect((await noted())?.getTime()).toBeGreaterThan(marked?.getTime() ?? Number.POSITIVE_INFINITY)
  })
})

describe('the command', () => {
  const run = async (...rest: string[]): Promise<{ code: number; out: string; said: string }> => {
    let out = ''
    let said = ''
    const code = await runTokenLine(
      readTokenLine(rest),
      database.sql,
      (text) => {
        out += text
      },
      (text) => {
        said += text
      },
    )
    return { code, out, said }
  }

  test('makes, lists and revokes', async () => {
    expect(await run('list')).toMatchObject({ code: 0, out: '', said: expect.stringContaining('no tokens') })
    const made = await run('create', '--name', 'deploy', '--scope=admin')
    expect(made.out).toMatch(/^ingot_[\da-f]{64}\n$/)
    expect(made.said).toMatch(/shown only once/)
    const id = /Token (\d+)/.exec(made.said)?.[1] ?? ''
    expect((await run('list')).out).toMatch(
      new RegExp(`${id} +deploy +admin +- +\\d{4}-\\d\\d-\\d\\d +never +never +valid`),
    )
    expect((await run('list')).out).not.toContain(made.out.trim().slice(-20))
    expect(await run('revoke', id)).toMatchObject({ code: 0 })
    expect((await run('list')).out).toMatch(/revoked \d{4}/)
    expect(await run('revoke', id)).toMatchObject({ code: 1, said: expect.stringContaining('no valid token') })
  })

  test('names the command for a name that was given as a word', async () => {
    await expect(tokenCommand(['create', 'my api'], readSettings({}, 'development'))).rejects.toThrow(
      "There is no folder 'my api'. For a token named 'my api', run `ingot token create --name 'my api'`.",
    )
  })

  test('refuses what it cannot do in a sentence', () => {
    const wrong: readonly [readonly string[], RegExp][] = [
      [[], /give create, list or revoke/],
      [['destroy'], /has no action 'destroy'/],
      [['create', '--scope', 'root'], /no scope 'root'.*read, write, deploy, exec, admin/],
      [['create', '--name'], /needs a value/],
      [['create', '--name', 'a\x1b[2J'], /one line of at most 200/],
      [['create', '--color', 'x'], /no option '--color'/],
      [['list', '--name', 'x'], /no option '--name'/],
      [['revoke'], /needs the ID/],
      [['revoke', 'x;drop'], /'x;drop' is not the ID/],
      [['list', 'a', 'b'], /does not take 'b'/],
      [['create', 'api', 'site'], /run `ingot token create site --name api`/],
    ]
    for (const [rest, said] of wrong) {
      expect(() => readTokenLine(rest)).toThrow(StartError)
      expect(() => readTokenLine(rest)).toThrow(said)
    }
    expect(readTokenLine(['create', 'site'])).toEqual({ action: 'create', dir: 'site', name: 'token', scope: 'read' })
    expect(readTokenLine(['revoke', '5', 'site'])).toEqual({ action: 'revoke', id: '5', dir: 'site' })
  })
})
