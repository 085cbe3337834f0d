/** Recipients that a mail server rejects, while it accepts other recipients of the same mail. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LogEntry } from '../../../../runtime/page/services.ts'
import { deliver } from '../../../../server/web/notifications/deliver.ts'
import { DeliveryFault, type DeliveryTask } from '../../../../server/web/notifications/model.ts'
import { email, jobOf, plain, siteOf, smtp, standing } from './ground.ts'

let stand: Awaited<ReturnType<typeof standing>>
beforeAll(async () => {
  stand = await standing()
})
afterAll(() => stand.close())

function byTemplate(name: string): DeliveryTask {
  return { kind: 'notification', channel: 'email', name, content: { kind: 'data', data: {} } }
}

async function fault(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((thrown: unknown) => thrown)
  return error instanceof DeliveryFault ? `${error.kind}: ${error.message}` : `no fault: ${String(error)}`
}

describe('recipients that are refused', () => {
  test('end the mail where nobody is left; of some, the others get theirs', async () => {
    const picky = await smtp({
      onRcptTo: ({ address }, _, done) =>
        address.startsWith('gone') ? done(Object.assign(new Error('no such user'), { responseCode: 550 })) : done(),
    })
    const parts = stand.open('production', { smtpUrl: picky.url })
    const lost = email('lost', { to: plain('gone@example.com') })
    expect(await fault(deliver(parts, byTemplate('lost'), jobOf(siteOf([lost]))))).toMatch(
      /^permanent: .*no such user/s,
    )
    const entry = email('some', { to: plain('gone1@example.com, ann@example.com') })
    const said: LogEntry[] = []
    await deliver(parts, byTemplate('some'), jobOf(siteOf([entry]), '/nowhere', { write: (each) => said.push(each) }))
    expect(picky.received.at(-1)?.to).toEqual(['ann@example.com'])
    expect((await parts.rows()).at(-1)).toMatchObject({
      options: {
        accepted: ['ann@example.com'],
        rejected: ['gone1@example.com'],
        reasons: ['gone1@example.com: 550 no such user'],
        deferred: [],
      },
    })
    expect(said).toMatchObject([
      {
        message: 'the mail server permanently refused some recipients: gone1@example.com: 550 no such user',
        type: 'error',
        env: 'all',
        file: 'app/emails/some.liquid',
        line: 1,
      },
    ])
    await picky.close()
  })

  test('are tried again alone where they were put off', async () => {
    let busy = 2
    const slow = await smtp({
      onRcptTo({ address }, _, done) {
        if (address.startsWith('later') && busy-- > 0)
          done(Object.assign(new Error('try later'), { responseCode: 451 }))
        else if (address.startsWith('gone')) done(Object.assign(new Error('no such user'), { responseCode: 550 }))
        else done()
      },
    })
    const parts = stand.open('production', { smtpUrl: slow.url })
    const entry = email('put_off', { to: plain('later@example.com, ann@example.com, gone@example.com') })
    const job = jobOf(siteOf([entry]))
    expect(await fault(deliver(parts, byTemplate('put_off'), job))).toBe(
      'temporary: the mail server temporarily refused some recipients: later@example.com: 451 try later',
    )
    expect(await fault(deliver(parts, byTemplate('put_off'), job))).toMatch(/^temporary: .*try later/s)
    await deliver(parts, byTemplate('put_off'), job)
    await deliver(parts, byTemplate('put_off'), job)
    expect(slow.received.map(({ to }) => to)).toEqual([['ann@example.com'], ['later@example.com']])
    const ids = slow.received.map(({ raw }) => /Message-ID: (.*)/.exec(raw)?.[1])
    expect(ids[0]).toBe(ids[1])
    const rows = (await parts.rows()).filter(({ name }) => name === 'put_off')
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      error: null,
      options: {
        accepted: ['ann@example.com', 'later@example.com'],
        rejected: ['gone@example.com'],
        reasons: ['gone@example.com: 550 no such user'],
        deferred: [],
      },
    })
    await slow.close()
  })
})
