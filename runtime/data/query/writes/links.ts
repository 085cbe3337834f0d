/** Writing links of users to accounts elsewhere: one for each provider. */
import type { Build, Input } from '../model.ts'
import { itemsOf, leafOf } from '../rows/input.ts'
import { plainText } from '../rows/values.ts'
import { check, columnsSql, invalid } from './columns.ts'
import { plainJson } from '../../values/json-text.ts'

/** SQL by column. */
export type Link = ReadonlyMap<string, string>

const COLUMNS = { token: 'text', token_expires_at: 'time', uid: 'text' } as const

/** The links that an argument describes; of several with one provider the last counts. */
export function linksOf(input: Input | undefined, build: Build): readonly Link[] {
  const links = itemsOf(input).flatMap((fields) => {
    const provider = leafOf(fields['provider'])
    if (provider === null) return []
    const columns = new Map(columnsSql(fields, COLUMNS, build))
    columns.set('provider', build.bind(provider, 'text', plainText))
    const info = leafOf(fields['raw_info'])
    if (info !== null) {
      const convert = (value: unknown): string => {
        const text = plainJson(value)
        if (text === null) throw invalid('`raw_info` holds the character NUL.', info.at)
        return text
      }
      check(info, convert, build)
      columns.set('raw_info', build.bind(info, 'jsonb', convert))
    } else if (fields['raw_info'] === null) columns.set('raw_info', 'null::jsonb')
    return [columns]
  })
  return [...new Map(links.map((link) => [link.get('provider'), link])).values()]
}

/** Parts of a statement behind `changed`, the users. */
export function linkParts(links: readonly Link[]): readonly string[] {
  return links.map((link, index) => {
    const columns = [...link.keys()]
    const next = columns.map((column) => `${column} = excluded.${column}`)
    return (
      `link${index} as (insert into ingot.authentications as a (user_id, ${columns.join(', ')}) ` +
      `select id, ${[...link.values()].join(', ')} from changed on conflict (user_id, provider) do update ` +
      `set ${next.join(', ')}, updated_at = clock_timestamp(), deleted_at = null returning a.*)`
    )
  })
}

/** The relation of all links as the statement leaves them. */
export function linksAfter(links: readonly Link[]): string {
  const fresh = links.map((_, index) => `select * from link${index}`).join(' union all ')
  return `(${fresh} union all select * from ingot.authentications o where o.id not in (select id from (${fresh}) f))`
}
