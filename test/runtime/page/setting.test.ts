/** Settings of configurations: plain data, and Liquid that is rendered on demand, may suspend or fail. */
import { describe, expect, it } from 'vitest'
import { evaluateSetting, evaluateSettingSync } from '../../../runtime/page/setting.ts'
import type { Setting } from '../../../runtime/page/site.ts'
import { createRender } from './filters/evaluator.ts'

const r = () => createRender({})
const plain = (value: unknown): Setting => ({ kind: 'plain', value })
const liquid = (render: (scope: Record<string, unknown>) => string | Promise<string>): Setting => ({
  kind: 'liquid',
  render: (_r, scope) => render(scope),
})
const scope = () => ({ name: 'x' })

describe('evaluateSetting', () => {
  it('returns data synchronously when nothing suspends', () => {
    const setting: Setting = {
      kind: 'map',
      entries: { a: plain(1), b: { kind: 'list', items: [liquid((of) => `${of['name']}`), plain(null)] } },
    }
    expect(evaluateSetting(setting, r, scope)).toEqual({ a: 1, b: ['x', null] })
  })

  it('does not create a render or scope that is not needed', () => {
    const never = () => {
      throw new Error('asked')
    }
    expect(evaluateSetting({ kind: 'list', items: [plain('a')] }, never, never)).toEqual(['a'])
  })

  it('waits where a part does', async () => {
    const late = liquid(async () => 'late')
    const setting: Setting = { kind: 'map', entries: { a: late, b: { kind: 'list', items: [late, plain(2)] } } }
    await expect(evaluateSetting(setting, r, scope)).resolves.toEqual({ a: 'late', b: ['late', 2] })
  })

  it('leaves no unhandled rejection when another part fails first', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    const late = liquid(() => Promise.reject(new Error('late')))
    const early = liquid(() => {
      throw new Error('early')
    })
    expect(() => evaluateSetting({ kind: 'list', items: [late, early] }, r, scope)).toThrow('early')
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })

  it('keeps `__proto__` an ordinary name', () => {
    const entries = Object.fromEntries([['__proto__', plain('x')]])
    const data = evaluateSetting({ kind: 'map', entries }, r, scope)
    expect(Object.entries(data as object)).toEqual([['__proto__', 'x']])
  })
})

describe('evaluateSettingSync', () => {
  it('rejects Liquid that suspends', () => {
    expect(evaluateSettingSync(plain(3), r, scope)).toBe(3)
    expect(() =>
      evaluateSettingSync(
        liquid(async () => 'x'),
        r,
        scope,
      ),
    ).toThrow('cannot use a query')
  })
})
